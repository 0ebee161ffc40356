import { type Answer, isWaiting } from '@waystation/protocol/call/call.ts'
import type { AttachedItem } from '@waystation/protocol/external-agent/active-item.ts'
import type { SessionEvent, Snapshot } from '@waystation/protocol/session/event.ts'
import type { StoredFile } from '@waystation/protocol/session/file.ts'
import { applyEvent, type Transcript, transcriptOf } from '@waystation/protocol/session/fold.ts'
import type { ClientTool, WhenBusy } from '@waystation/protocol/session/session.ts'
import type { SessionView } from '@waystation/protocol/session/session-view.ts'
import { type Fetch, httpTo, pageFetch } from '#components/browser/http.ts'
import { type BrowserStorage, browserStorage } from '#components/browser/storage.ts'
import { mergeDeltas, perFrame } from './batch.ts'
import { eventStream } from './event-stream.ts'
import { follow } from './follow.ts'
import { newKey, type Pending } from './outbox.ts'
import { restartDetector } from './restart-detector.ts'
import { type Delivery, sendOutbox, withoutShown } from './send-outbox.ts'
import { earlierThan, firstState, remember, type SessionState, withDeliveries } from './session-state.ts'
import { sessionVerbs } from './session-verbs.ts'
import { socketLine, type Token } from './socket-line.ts'
import { upload } from './upload.ts'

export type SessionOptions = {
  sessionId: string
  baseUrl?: string
  /** Where this page is not the server's own: with the credential that lets it in. */
  fetch?: Fetch | undefined
  /** The same credential, for the socket that the session is followed over. A `fetch` without it follows by itself. */
  token?: Token | undefined
  initial?: Snapshot | undefined
  /** Browser tools that this client declares with its messages (api.md "External tools"). */
  clientTools?: readonly ClientTool[] | undefined
  /** In somebody's product: what was sent out to other systems is not for its users, so it is not asked for. */
  embedded?: boolean | undefined
  keep?: BrowserStorage
  /** For tests: the wait before anything is tried again, in ms. */
  retryMs?: number
}

/** How long a line may be down before anybody is told, in ms. */
const blink = 2000

/**
 * One session, as a store that works without React: it follows the log from `start` on, folds it once a frame, and
 * carries what is sent and answered.
 */
export function createSessionStore(options: SessionOptions) {
  const {
    sessionId,
    baseUrl = '',
    initial,
    clientTools,
    embedded = false,
    fetch = pageFetch,
    token,
    keep = browserStorage(),
    retryMs
  } = options
  const path = `/api/sessions/${encodeURIComponent(sessionId)}`
  const http = httpTo(baseUrl, fetch)
  const listeners = new Set<() => void>()
  let state = firstState(initial)
  let delivery: Delivery | undefined
  let newest = 0

  const get = () => state
  const set = (change: Partial<SessionState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const setTranscript = (transcript: Transcript, change: Partial<SessionState> = {}) => {
    set({ transcript, pending: stillPending(state.pending, transcript), ...change })
  }

  const batch = perFrame(events => {
    const fresh = events.filter(event => event.type === 'reset' || event.seq > state.transcript.cursor)
    const reset = fresh.findLast(event => event.type === 'reset')
    const sent = fresh.flatMap(event => (event.type === 'delivery' ? [event.delivery] : []))
    setTranscript(mergeDeltas(fresh).reduce(applyEvent, state.transcript), {
      ...remember(state, fresh),
      restarted: undefined,
      deliveries: withDeliveries(state.deliveries, sent),
      ...(reset === undefined ? {} : { earlier: earlierThan(reset.messages) })
    })
  })
  const onEvent = (event: SessionEvent) => {
    newest = event.type === 'reset' ? event.cursor : event.seq
    batch(event)
  }
  /** Events that wait for a frame count as read: a line that drops meanwhile goes on behind them. */
  const cursor = () => Math.max(newest, state.transcript.cursor)

  async function load(signal: AbortSignal): Promise<void> {
    for (let wait = 500; !state.loaded && !signal.aborted; wait = Math.min(wait * 2, 15_000)) {
      const reply = await http<SessionView>('GET', path)
      if (signal.aborted) return
      if (reply.ok) {
        const { session, ...snapshot } = reply.body
        const { messages } = snapshot
        setTranscript(transcriptOf(snapshot), { session, loaded: true, earlier: earlierThan(messages) })
      } else if (!reply.lost) return set({ gone: reply.refusal })
      else await new Promise(resolve => setTimeout(resolve, wait))
    }
  }

  const stream = eventStream(fetch, `${baseUrl}${path}/events`)
  const withSocket = socketLine({ baseUrl, sessionId, token, otherwise: stream })

  const verbs = sessionVerbs({ sessionId, path, http, get, set, setTranscript })

  /** Begins to follow; the function it returns ends it. What is unsent stays kept. */
  function start(): () => void {
    const ending = new AbortController()
    delivery = sendOutbox({
      sessionId,
      http,
      keep,
      clientTools,
      get: () => state.pending,
      // The server's reply may come after what it was about is shown already.
      set: pending => set({ pending: stillPending(pending, state.transcript) }),
      onLate: (toolCallId, winner) => set({ late: { ...state.late, [toolCallId]: winner } }),
      ...(retryMs === undefined ? {} : { waits: [retryMs] })
    })
    delivery.again()
    const away = () => setTimeout(() => set({ connection: 'reconnecting' }), blink)
    let offline: ReturnType<typeof setTimeout> | undefined = away()
    const online = () => {
      clearTimeout(offline)
      offline = undefined
    }
    const absence = restartDetector(keep, sessionId)
    const onLine = (line: 'up' | 'down', uptime?: number) => {
      if (line === 'down') {
        absence.down()
        offline ??= away()
        return
      }
      online()
      set({ connection: 'live', restarted: uptime === undefined ? undefined : absence.up(uptime) })
      delivery?.again()
    }
    const onRefused = (gone: NonNullable<SessionState['gone']>) => {
      online()
      set({ gone })
    }
    void load(ending.signal).then(() => {
      if (state.gone !== undefined) return online()
      // The log does not hold what happened to deliveries before this page came, so ask once.
      const sent = Object.values(state.transcript.calls).some(
        call => isWaiting(call) && call.where === 'external'
      )
      if (!embedded && sent) void verbs.loadDeliveries()
      return follow({
        open: fetch === pageFetch || token !== undefined ? withSocket : stream,
        cursor,
        onEvent,
        onLine,
        onRefused,
        signal: ending.signal,
        ...(retryMs === undefined ? {} : { backoff: { first: retryMs, longest: retryMs } })
      })
    })
    return () => {
      ending.abort()
      absence.stop()
      online()
      delivery?.stop()
    }
  }

  return {
    path,
    http,
    /** Sends a file to the session, for a message that will name it. */
    upload: (file: File, about: { key: string; onProgress: (share: number) => void; signal: AbortSignal }) =>
      upload({ url: `${baseUrl}${path}/files`, fetch, file, ...about }),
    /** The bytes of a file in the transcript; undefined: it cannot be had. */
    readFile: (url: string): Promise<Blob | undefined> =>
      fetch(baseUrl + url, {}).then(
        response => (response.ok ? response.blob() : undefined),
        () => undefined
      ),
    start,
    getState: get,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** `active` is sent along to an external agent, `files` are there already. */
    send: (
      text: string,
      whenBusy: WhenBusy = 'queue',
      { active, files }: { active?: AttachedItem | undefined; files?: readonly StoredFile[] | undefined } = {}
    ) =>
      delivery?.send({
        key: newKey(),
        text,
        whenBusy,
        active,
        files,
        at: new Date().toISOString(),
        state: 'sending'
      }),
    /** Forgets a message that was refused, or that has not gone out yet. */
    discard: (key: string) => delivery?.discard(key),
    answer: (toolCallId: string, answer: Answer) =>
      delivery?.answer({
        toolCallId,
        since: state.transcript.calls[toolCallId]?.since,
        answer,
        at: new Date().toISOString(),
        state: 'sending'
      }),
    forgetLate: (toolCallId: string) => {
      const { [toolCallId]: _, ...late } = state.late
      set({ late })
    },
    ...verbs
  }
}

/** What of it the transcript does not show yet. */
const stillPending = (pending: Pending, transcript: Transcript): Pending =>
  withoutShown(pending, {
    message: id => transcript.messages.some(folded => folded.message.id === id),
    call: id => transcript.calls[id]
  })

export type SessionStore = ReturnType<typeof createSessionStore>
