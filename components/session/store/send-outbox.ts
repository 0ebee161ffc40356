import { type Backoff, jitter, newKey, type SessionClient, type WaystationError } from '@waystation/client'
import type { ClientTool } from '@waystation/protocol/session/session.ts'
import { replyTo } from '#components/browser/reply.ts'
import type { BrowserStorage } from '#components/browser/storage.ts'
import type { Pending, PendingAnswer, PendingSend } from './outbox.ts'
import type { Winner } from './session-state.ts'

const now = () => new Date().toISOString()

/**
 * Messages and out-of-band messages do not wait for each other. At a limit, an out-of-band message is refused
 * instead of retried, because it may be out of date later.
 */
type Lane = 'message' | 'tell'
const laneOf = ({ tell }: Pick<PendingSend, 'tell'>): Lane => (tell === undefined ? 'message' : 'tell')

type Deliver = {
  /** The functions of the session, which must not retry by themselves. */
  session: SessionClient
  keep: BrowserStorage
  clientTools?: ClientTool[] | undefined
  get: () => Pending
  set: (pending: Pending) => void
  /** Called if the call was settled before this answer arrived. */
  onLate: (toolCallId: string, winner: Winner) => void
  backoff?: Backoff | undefined
}

/**
 * Sends messages and answers, and stores each one until the server accepts or rejects it. They survive a lost
 * response, a server that is down and a closed tab. Messages are sent one at a time, in their order. So are
 * out-of-band messages, which do not wait for messages. Answers are sent at once, unless they are held so that the
 * user can undo them. A held answer is sent after its time, before any other action, and when the page is hidden or was
 * reloaded.
 */
export function sendOutbox({
  session,
  keep,
  clientTools,
  get,
  set,
  onLate,
  backoff = { first: 2000, longest: 15_000 }
}: Deliver) {
  const sendKey = (key: string) => `send:${session.id}:${key}`
  const answerKey = (toolCallId: string) => `answer:${session.id}:${toolCallId}`
  const stored = <T>(prefix: string) => keep.keys(prefix).flatMap(key => keep.get<T>(key) ?? [])
  // Messages that an earlier page stored are sent in the order in which they were written.
  const sends = stored<PendingSend>(sendKey('')).sort((a, b) => a.at.localeCompare(b.at))
  const answers = stored<PendingAnswer>(answerKey(''))
  set({
    sends: sends.map(send => ({ ...send, state: 'unsent' })),
    answers: Object.fromEntries(answers.map(answer => [answer.toolCallId, { ...answer, state: 'unsent' }]))
  })

  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  const sending = new Set<Lane>()
  let stopped = false
  const answering = new Set<string>()
  let holding: ReturnType<typeof setTimeout> | undefined

  const setSend = (key: string, change: Partial<PendingSend>) =>
    set({ ...get(), sends: get().sends.map(send => (send.key === key ? { ...send, ...change } : send)) })
  const setAnswer = (toolCallId: string, change: Partial<PendingAnswer>) => {
    const answer = get().answers[toolCallId]
    if (answer) set({ ...get(), answers: { ...get().answers, [toolCallId]: { ...answer, ...change } } })
  }
  const later = ({ retryAfter = 0 }: WaystationError) => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(again, Math.max(retryAfter * 1000, jitter(backoff, tries++)))
  }

  async function pumpSends(lane: Lane): Promise<void> {
    if (sending.has(lane) || stopped) return
    sending.add(lane)
    for (;;) {
      const next = get().sends.find(
        send => laneOf(send) === lane && (send.state === 'sending' || send.state === 'unsent')
      )
      if (next === undefined || stopped) break
      const { key } = next
      const reply = await replyTo(request(next))
      if (reply.ok) {
        tries = 0
        keep.remove(sendKey(key))
        setSend(key, { state: 'accepted', messageId: reply.body })
      } else if (reply.error.temporary && !(lane === 'tell' && reply.error.code === 'RATE_LIMITED')) {
        setSend(key, { state: 'unsent' })
        later(reply.error)
        break
      } else setSend(key, { state: 'refused', refusal: reply.error })
    }
    sending.delete(lane)
  }

  /** Returns the ID of the message in the log. */
  async function request({ key, text, tell, whenBusy, active, files }: PendingSend): Promise<string> {
    if (tell !== undefined) {
      const { priority, ...metadata } = tell
      return (await session.tell(text, { key, priority, metadata })).id
    }
    const options = { key, whenBusy, active, files: files?.map(({ id }) => id), clientTools }
    return (await session.send(text, options)).messageId
  }

  async function pumpAnswer(toolCallId: string): Promise<void> {
    const pending = get().answers[toolCallId]
    if (pending === undefined || answering.has(toolCallId) || stopped) return
    answering.add(toolCallId)
    // A failure names the tools of this client, because it cannot fail calls of another client's tools.
    const names = { clientTools: clientTools?.map(({ name }) => name) ?? [] }
    const answer = 'error' in pending.answer ? { ...pending.answer, ...names } : pending.answer
    const reply = await replyTo(session.calls.answer(toolCallId, answer))
    answering.delete(toolCallId)
    if (!reply.ok && reply.error.temporary) {
      setAnswer(toolCallId, { state: 'unsent' })
      return later(reply.error)
    }
    keep.remove(answerKey(toolCallId))
    if (reply.ok) {
      tries = 0
      setAnswer(toolCallId, { state: 'accepted' })
    } else if (reply.error.code === 'ALREADY_SETTLED' && reply.error.winner) {
      setAnswer(toolCallId, { state: 'accepted' })
      onLate(toolCallId, reply.error.winner)
    } else setAnswer(toolCallId, { state: 'refused', refusal: reply.error })
  }

  /** Sends the held answers whose time has come, or all of them. */
  function release(all: boolean): void {
    clearTimeout(holding)
    const held = Object.values(get().answers).filter(({ state }) => state === 'held')
    const wait = ({ notBefore = '' }: PendingAnswer) => Date.parse(notBefore) - Date.now()
    const due = held.filter(answer => all || !(wait(answer) > 0))
    for (const { toolCallId } of due) {
      setAnswer(toolCallId, { state: 'sending' })
      void pumpAnswer(toolCallId)
    }
    const first = held.find(answer => !due.includes(answer))
    if (first !== undefined) holding = setTimeout(() => release(false), wait(first))
  }
  const page = typeof document === 'undefined' ? undefined : document
  const onHide = () => {
    if (page?.visibilityState === 'hidden') release(true)
  }
  page?.addEventListener('visibilitychange', onHide)

  function again(): void {
    void pumpSends('message')
    void pumpSends('tell')
    for (const { toolCallId, state } of Object.values(get().answers))
      if (state === 'unsent') void pumpAnswer(toolCallId)
  }

  return {
    send: (message: Pick<PendingSend, 'text' | 'whenBusy' | 'active' | 'files' | 'tell'>) => {
      release(true)
      const send: PendingSend = { ...message, key: newKey(), at: now(), state: 'sending' }
      keep.set(sendKey(send.key), send)
      set({ ...get(), sends: [...get().sends, send] })
      void pumpSends(laneOf(send))
    },
    /** Sends an answer, after `undoMs` if the user can undo it until then. */
    answer: (given: Pick<PendingAnswer, 'toolCallId' | 'since' | 'answer'>, undoMs = 0) => {
      release(true)
      const notBefore = undoMs > 0 ? new Date(Date.now() + undoMs).toISOString() : undefined
      const answer: PendingAnswer = { ...given, at: now(), notBefore, state: notBefore ? 'held' : 'sending' }
      keep.set(answerKey(answer.toolCallId), answer)
      set({ ...get(), answers: { ...get().answers, [answer.toolCallId]: answer } })
      if (notBefore === undefined) void pumpAnswer(answer.toolCallId)
      else release(false)
    },
    /** Takes a held answer back. */
    undo: (toolCallId: string) => {
      if (get().answers[toolCallId]?.state !== 'held') return
      keep.remove(answerKey(toolCallId))
      const { [toolCallId]: _, ...answers } = get().answers
      set({ ...get(), answers })
    },
    discard: (key: string) => {
      keep.remove(sendKey(key))
      set({ ...get(), sends: get().sends.filter(send => send.key !== key) })
    },
    /** Retries everything unsent now: at the start, and when the connection is back. */
    again,
    stop: () => {
      release(true)
      page?.removeEventListener('visibilitychange', onHide)
      clearTimeout(holding)
      stopped = true
      clearTimeout(timer)
    }
  }
}

export type Delivery = ReturnType<typeof sendOutbox>
