import type { Call } from '@waystation/protocol/call/call.ts'
import type { ErrorBody } from '@waystation/protocol/error-body.ts'
import type { ClientTool } from '@waystation/protocol/session/session.ts'
import type { Http } from '#components/browser/http.ts'
import type { BrowserStorage } from '#components/browser/storage.ts'
import {
  forgetAnswer,
  forgetSend,
  isFor,
  keepAnswer,
  keepSend,
  keptPending,
  type Pending,
  type PendingAnswer,
  type PendingSend,
  postAnswer,
  postSend
} from './outbox.ts'

type Deliver = {
  sessionId: string
  http: Http
  keep: BrowserStorage
  clientTools?: readonly ClientTool[] | undefined
  get: () => Pending
  set: (pending: Pending) => void
  /** Called if the call was settled before this answer arrived. */
  onLate: (toolCallId: string, winner: NonNullable<ErrorBody['winner']>) => void
  /** The waits between two attempts, in milliseconds. The last one repeats. */
  waits?: readonly number[]
}

export type Delivery = {
  send: (send: PendingSend) => void
  answer: (answer: PendingAnswer) => void
  discard: (key: string) => void
  /** Retries everything unsent now: at the start, and when the connection is back. */
  again: () => void
  stop: () => void
}

/**
 * Sends messages and answers, and stores each one until the server accepts or rejects it. They survive a lost
 * response, a server that is down and a closed tab. Messages are sent one at a time, in their order. Answers
 * are sent at once.
 */
export function sendOutbox({
  sessionId,
  http,
  keep,
  clientTools,
  get,
  set,
  onLate,
  waits = [1000, 2000, 4000, 8000, 15_000]
}: Deliver): Delivery {
  set(keptPending(keep, sessionId))
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let sending = false
  let stopped = false
  const answering = new Set<string>()

  const setSend = (key: string, change: Partial<PendingSend>) =>
    set({ ...get(), sends: get().sends.map(send => (send.key === key ? { ...send, ...change } : send)) })
  const setAnswer = (toolCallId: string, change: Partial<PendingAnswer>) => {
    const answer = get().answers[toolCallId]
    if (answer) set({ ...get(), answers: { ...get().answers, [toolCallId]: { ...answer, ...change } } })
  }
  const later = (ms?: number) => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(again, ms ?? waits[Math.min(tries++, waits.length - 1)])
  }

  async function pumpSends(): Promise<void> {
    if (sending || stopped) return
    sending = true
    for (;;) {
      const next = get().sends.find(send => send.state === 'sending' || send.state === 'unsent')
      if (next === undefined || stopped) break
      const reply = await postSend(http, sessionId, next, clientTools)
      if (reply.ok) {
        tries = 0
        forgetSend(keep, sessionId, next.key)
        setSend(next.key, { state: 'accepted', messageId: reply.body.messageId })
      } else if (reply.lost) {
        setSend(next.key, { state: 'unsent' })
        later(reply.retryAfterMs)
        break
      } else setSend(next.key, { state: 'refused', refusal: reply.refusal })
    }
    sending = false
  }

  async function pumpAnswer(toolCallId: string): Promise<void> {
    const pending = get().answers[toolCallId]
    if (pending === undefined || answering.has(toolCallId) || stopped) return
    answering.add(toolCallId)
    const reply = await postAnswer(http, sessionId, pending, clientTools)
    answering.delete(toolCallId)
    if (!reply.ok && reply.lost) {
      setAnswer(toolCallId, { state: 'unsent' })
      return later(reply.retryAfterMs)
    }
    forgetAnswer(keep, sessionId, toolCallId)
    if (reply.ok) {
      tries = 0
      setAnswer(toolCallId, { state: 'accepted' })
    } else if (reply.refusal.code === 'ALREADY_SETTLED' && reply.refusal.winner) {
      setAnswer(toolCallId, { state: 'accepted' })
      onLate(toolCallId, reply.refusal.winner)
    } else setAnswer(toolCallId, { state: 'refused', refusal: reply.refusal })
  }

  function again(): void {
    void pumpSends()
    for (const { toolCallId, state } of Object.values(get().answers))
      if (state === 'unsent') void pumpAnswer(toolCallId)
  }

  return {
    send: send => {
      keepSend(keep, sessionId, send)
      set({ ...get(), sends: [...get().sends, send] })
      void pumpSends()
    },
    answer: answer => {
      keepAnswer(keep, sessionId, answer)
      set({ ...get(), answers: { ...get().answers, [answer.toolCallId]: answer } })
      void pumpAnswer(answer.toolCallId)
    },
    discard: key => {
      forgetSend(keep, sessionId, key)
      set({ ...get(), sends: get().sends.filter(send => send.key !== key) })
    },
    again,
    stop: () => {
      stopped = true
      clearTimeout(timer)
    }
  }
}

/** Removes what the transcript already shows: messages that it contains, and answers to waits that ended. */
export function withoutShown(
  pending: Pending,
  shows: { message: (id: string) => boolean; call: (id: string) => Call | undefined }
): Pending {
  const sends = pending.sends.filter(send => !(send.messageId !== undefined && shows.message(send.messageId)))
  const answers = Object.values(pending.answers).filter(({ toolCallId, since, state }) => {
    const call = shows.call(toolCallId)
    if (call === undefined) return true
    if (state === 'refused') return isFor(call, since)
    return state !== 'accepted' || (call.state === 'open' && isFor(call, since))
  })
  if (sends.length === pending.sends.length && answers.length === Object.keys(pending.answers).length)
    return pending
  return { sends, answers: Object.fromEntries(answers.map(answer => [answer.toolCallId, answer])) }
}
