import { type Backoff, jitter, type SessionClient, type WaystationError } from '@waystation/client'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { ClientTool } from '@waystation/protocol/session/session.ts'
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
import type { Winner } from './session-state.ts'

type Deliver = {
  /** The functions of the session, which must not retry by themselves. */
  session: SessionClient
  keep: BrowserStorage
  clientTools?: readonly ClientTool[] | undefined
  get: () => Pending
  set: (pending: Pending) => void
  /** Called if the call was settled before this answer arrived. */
  onLate: (toolCallId: string, winner: Winner) => void
  backoff?: Backoff | undefined
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
  session,
  keep,
  clientTools,
  get,
  set,
  onLate,
  backoff = { first: 2000, longest: 15_000 }
}: Deliver): Delivery {
  const sessionId = session.id
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
  const later = ({ retryAfter = 0 }: WaystationError) => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(again, Math.max(retryAfter * 1000, jitter(backoff, tries++)))
  }

  async function pumpSends(): Promise<void> {
    if (sending || stopped) return
    sending = true
    for (;;) {
      const next = get().sends.find(send => send.state === 'sending' || send.state === 'unsent')
      if (next === undefined || stopped) break
      const reply = await postSend(session, next, clientTools)
      if (reply.ok) {
        tries = 0
        forgetSend(keep, sessionId, next.key)
        setSend(next.key, { state: 'accepted', messageId: reply.body.messageId })
      } else if (reply.error.temporary) {
        setSend(next.key, { state: 'unsent' })
        later(reply.error)
        break
      } else setSend(next.key, { state: 'refused', refusal: reply.error })
    }
    sending = false
  }

  async function pumpAnswer(toolCallId: string): Promise<void> {
    const pending = get().answers[toolCallId]
    if (pending === undefined || answering.has(toolCallId) || stopped) return
    answering.add(toolCallId)
    const reply = await postAnswer(session, pending, clientTools)
    answering.delete(toolCallId)
    if (!reply.ok && reply.error.temporary) {
      setAnswer(toolCallId, { state: 'unsent' })
      return later(reply.error)
    }
    forgetAnswer(keep, sessionId, toolCallId)
    if (reply.ok) {
      tries = 0
      setAnswer(toolCallId, { state: 'accepted' })
    } else if (reply.error.code === 'ALREADY_SETTLED' && reply.error.winner) {
      setAnswer(toolCallId, { state: 'accepted' })
      onLate(toolCallId, reply.error.winner)
    } else setAnswer(toolCallId, { state: 'refused', refusal: reply.error })
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
