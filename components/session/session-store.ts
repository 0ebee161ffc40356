import { foldedMessage } from '#lib/protocol/apply-chunk.ts'
import type { Answer, Call } from '#lib/protocol/call.ts'
import type { SessionEvent, Snapshot } from '#lib/protocol/event.ts'
import { applyEvent, emptyTranscript, type Transcript, transcriptOf } from '#lib/protocol/fold.ts'
import type { Message } from '#lib/protocol/message.ts'
import type { RefusalBody } from '#lib/protocol/refusal.ts'
import type { ClientTool, WhenBusy } from '#lib/protocol/session.ts'
import { mergeDeltas, perFrame } from './batch.ts'
import { type Delivery, deliverFor, withoutShown } from './deliver.ts'
import { follow } from './follow.ts'
import { httpTo, type Reply } from './http.ts'
import { browserKeep, type Keep } from './keep.ts'
import { newKey, nothingPending, type Pending } from './outbox.ts'

export type Winner = NonNullable<RefusalBody['winner']>

export type SessionState = {
  transcript: Transcript
  /** False until the first snapshot is there. */
  loaded: boolean
  /** `reconnecting` only after two seconds without a line: a blink is not news. */
  connection: 'connecting' | 'live' | 'reconnecting'
  pending: Pending
  /** Calls that somebody else settled before this person's answer arrived. */
  late: Readonly<Record<string, Winner>>
  earlier: 'more' | 'loading' | 'none'
  /** The newest events as they came, for the inspector. */
  recent: readonly SessionEvent[]
  /** The first event seen of a message, by its ID: where its row points into the log. */
  seqs: Readonly<Record<string, number>>
  /** What the server said to the last thing that did not work, until the next one. */
  problem?: string | undefined
  /** The session can no longer be read: deleted, expired, or not this person's any more. */
  gone?: RefusalBody
}

export type SessionOptions = {
  sessionId: string
  baseUrl?: string
  initial?: Snapshot | undefined
  /** Browser tools that this client declares with its messages (api.md "External tools"). */
  clientTools?: readonly ClientTool[] | undefined
  keep?: Keep
  /** For tests: the wait before anything is tried again, in ms. */
  retryMs?: number
}

const windowSize = 50
const recentSize = 1000

/**
 * One session, as a store: what its log says, folded; what this person sent that the log does not say yet. It starts
 * to follow the log with `start` and works without React.
 */
export function createSessionStore({
  sessionId,
  baseUrl = '',
  initial,
  clientTools,
  keep = browserKeep(),
  retryMs
}: SessionOptions) {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}`
  const http = httpTo(baseUrl)
  const listeners = new Set<() => void>()
  let state: SessionState = {
    transcript: initial === undefined ? emptyTranscript : transcriptOf(initial),
    loaded: initial !== undefined,
    connection: 'connecting',
    pending: nothingPending,
    late: {},
    earlier: (initial?.messages.length ?? 0) < windowSize ? 'none' : 'more',
    recent: [],
    seqs: {}
  }
  const set = (change: Partial<SessionState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const setTranscript = (transcript: Transcript, change: Partial<SessionState> = {}) => {
    const message = (id: string) => transcript.messages.some(folded => folded.message.id === id)
    const pending = withoutShown(state.pending, { message, call: id => transcript.calls[id] })
    set({ transcript, pending, ...change })
  }

  const take = (events: SessionEvent[]) => {
    const fresh = events.filter(event => event.type === 'reset' || event.seq > state.transcript.cursor)
    const transcript = mergeDeltas(fresh).reduce(applyEvent, state.transcript)
    const reset = fresh.findLast(event => event.type === 'reset')
    setTranscript(transcript, {
      recent: [...state.recent, ...fresh].slice(-recentSize),
      seqs: withSeqs(state.seqs, fresh),
      ...(reset === undefined ? {} : { earlier: reset.messages.length < windowSize ? 'none' : 'more' })
    })
  }

  async function load(signal: AbortSignal): Promise<void> {
    for (let wait = 500; !state.loaded && !signal.aborted; wait = Math.min(wait * 2, 15_000)) {
      const reply = await http<Snapshot>('GET', path)
      if (signal.aborted) return
      if (reply.ok)
        setTranscript(transcriptOf(reply.body), {
          loaded: true,
          earlier: reply.body.messages.length < windowSize ? 'none' : 'more'
        })
      else if (!reply.lost) return set({ gone: reply.refusal })
      else await new Promise(resolve => setTimeout(resolve, wait))
    }
  }

  let delivery: Delivery | undefined
  /** Begins to follow; the function it returns ends it. What is unsent stays kept. */
  function start(): () => void {
    const ending = new AbortController()
    delivery = deliverFor({
      sessionId,
      http,
      keep,
      clientTools,
      get: () => state.pending,
      set: pending => set({ pending }),
      onLate: (toolCallId, winner) => set({ late: { ...state.late, [toolCallId]: winner } }),
      ...(retryMs === undefined ? {} : { waits: [retryMs] })
    })
    delivery.again()
    let offline: ReturnType<typeof setTimeout> | undefined = setTimeout(
      () => set({ connection: 'reconnecting' }),
      2000
    )
    const onLine = (line: 'up' | 'down') => {
      if (line === 'up') {
        clearTimeout(offline)
        offline = undefined
        set({ connection: 'live' })
        delivery?.again()
      } else offline ??= setTimeout(() => set({ connection: 'reconnecting' }), 2000)
    }
    void load(ending.signal).then(() => {
      if (state.gone !== undefined) return clearTimeout(offline)
      return follow({
        url: after => `${baseUrl}${path}/events?after=${after}`,
        cursor: () => cursorOf(),
        onEvent,
        onLine,
        onRefused: gone => {
          clearTimeout(offline)
          set({ gone })
        },
        signal: ending.signal,
        ...(retryMs === undefined ? {} : { backoff: { first: retryMs, longest: retryMs } })
      })
    })
    return () => {
      ending.abort()
      clearTimeout(offline)
      delivery?.stop()
    }
  }

  let newest = 0
  const batch = perFrame(take)
  const onEvent = (event: SessionEvent) => {
    newest = event.type === 'reset' ? event.cursor : event.seq
    batch(event)
  }
  /** Events that wait for a frame count as read: a line that drops meanwhile goes on behind them. */
  const cursorOf = () => Math.max(newest, state.transcript.cursor)

  async function asked<T>(reply: Promise<Reply<T>>): Promise<T | undefined> {
    const answer = await reply
    set({ problem: undefined })
    if (answer.ok) return answer.body
    set({
      problem: answer.lost
        ? 'The server did not answer. Nothing was changed; try again.'
        : answer.refusal.error
    })
    return undefined
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    getState: () => state,
    start,
    http,
    path,
    send: (text: string, whenBusy: WhenBusy = 'queue') =>
      delivery?.send({ key: newKey(), text, whenBusy, at: new Date().toISOString(), state: 'sending' }),
    discard: (key: string) => delivery?.discard(key),
    answer: (toolCallId: string, answer: Answer) =>
      delivery?.answer({ toolCallId, answer, at: new Date().toISOString(), state: 'sending' }),
    forgetLate: (toolCallId: string) => {
      const { [toolCallId]: _, ...late } = state.late
      set({ late })
    },
    dismissProblem: () => set({ problem: undefined }),
    removeQueued: (itemId: string) =>
      asked(http<unknown>('DELETE', `${path}/messages/${encodeURIComponent(itemId)}`)),
    extend: (toolCallId: string, seconds: number) =>
      asked(
        http<{ deadline: string }>('POST', `${path}/calls/${encodeURIComponent(toolCallId)}/extend`, {
          seconds
        })
      ),
    cancel: ({ calls = false }: { calls?: boolean } = {}) => {
      const { turnId } = state.transcript
      return asked(
        http<{ turnId?: string }>('POST', `${path}/cancel`, {
          calls,
          ...(turnId === undefined ? {} : { turnId })
        })
      )
    },
    retryNow: () => asked(http<unknown>('POST', `${path}/retry`, {})),
    rename: (title: string) => asked(http<unknown>('PATCH', path, { title })),
    remove: () => asked(http<{ ok: true }>('POST', '/api/plugins/sessions/operations/delete', { sessionId })),
    loadEarlier: async () => {
      const before = state.transcript.messages[0]?.message.id
      if (before === undefined || state.earlier !== 'more') return
      set({ earlier: 'loading' })
      const page = await asked(
        http<{ messages: Message[]; calls?: Call[] }>('GET', `${path}?before=${encodeURIComponent(before)}`)
      )
      if (page === undefined) return set({ earlier: 'more' })
      const known = new Set(state.transcript.messages.map(({ message }) => message.id))
      const messages = page.messages.filter(message => !known.has(message.id)).map(foldedMessage)
      const calls = Object.fromEntries((page.calls ?? []).map(call => [call.toolCallId, call]))
      setTranscript(
        {
          ...state.transcript,
          messages: [...messages, ...state.transcript.messages],
          calls: { ...calls, ...state.transcript.calls }
        },
        { earlier: page.messages.length < windowSize ? 'none' : 'more' }
      )
    }
  }
}

export type SessionStore = ReturnType<typeof createSessionStore>

function withSeqs(seqs: SessionState['seqs'], events: readonly SessionEvent[]): SessionState['seqs'] {
  const found = events.flatMap(event => {
    if (event.type === 'chunk') return [[event.messageId, event.seq] as const]
    if (event.type === 'message') return [[event.message.id, event.seq] as const]
    return event.type === 'call' ? [[event.call.toolCallId, event.seq] as const] : []
  })
  const fresh = found.filter(([id]) => seqs[id] === undefined).reverse()
  return fresh.length === 0 ? seqs : { ...seqs, ...Object.fromEntries(fresh) }
}
