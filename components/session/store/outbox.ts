import type { SendReceipt, SessionClient, WaystationError } from '@waystation/client'
import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import type { AttachedItem } from '@waystation/protocol/external-agent/active-item.ts'
import type { StoredFile } from '@waystation/protocol/session/file.ts'
import type { ClientTool, WhenBusy } from '@waystation/protocol/session/session.ts'
import { type Reply, replyTo } from '#components/browser/reply.ts'
import type { BrowserStorage } from '#components/browser/storage.ts'

/**
 * A message that the log does not show yet. `key` is created once, so the server accepts a retried message
 * only once.
 */
export type PendingSend = {
  key: string
  text: string
  whenBusy: WhenBusy
  active?: AttachedItem | undefined
  /** Attached files. They are already uploaded, so a reload does not lose them. */
  files?: readonly StoredFile[] | undefined
  at: string
  state: 'sending' | 'unsent' | 'accepted' | 'refused'
  messageId?: string
  refusal?: WaystationError
}

/**
 * An answer to a call that the log does not show as settled yet. It needs no key, because the server accepts
 * the same answer again.
 */
export type PendingAnswer = {
  toolCallId: string
  /** When the wait that this answers started. A call can wait several times, each time for something else. */
  since?: string | undefined
  answer: Answer
  at: string
  state: 'sending' | 'unsent' | 'accepted' | 'refused'
  refusal?: WaystationError
}

export type Pending = {
  sends: readonly PendingSend[]
  answers: Readonly<Record<string, PendingAnswer>>
}

export const nothingPending: Pending = { sends: [], answers: {} }

/** Tells whether the call is still in the wait that started at `since`. Undefined matches every wait. */
export const isFor = (call: Pick<Call, 'since'>, since: string | undefined): boolean =>
  since === undefined || since === call.since

/** Returns the pending answer to what the call waits for now. */
export function answerTo({ answers }: Pending, call: Pick<Call, 'toolCallId' | 'since'>) {
  const answer = answers[call.toolCallId]
  return answer !== undefined && isFor(call, answer.since) ? answer : undefined
}

/** Tells whether an answer is on its way to the server, so that no second one can be given. */
export const isBusy = (answer: PendingAnswer | undefined): boolean =>
  answer !== undefined && answer.state !== 'refused'

/**
 * Restores the unsent messages and answers that an earlier page stored, messages in the order in which they
 * were written.
 */
export function keptPending(keep: BrowserStorage, sessionId: string): Pending {
  const values = <T>(prefix: string) => keep.keys(prefix).flatMap(key => keep.get<T>(key) ?? [])
  const sends = values<PendingSend>(`send:${sessionId}:`).sort((a, b) => a.at.localeCompare(b.at))
  const answers = values<PendingAnswer>(`answer:${sessionId}:`)
  return {
    sends: sends.map(send => ({ ...send, state: 'unsent' })),
    answers: Object.fromEntries(answers.map(answer => [answer.toolCallId, { ...answer, state: 'unsent' }]))
  }
}

export const keepSend = (keep: BrowserStorage, sessionId: string, send: PendingSend) =>
  keep.set(`send:${sessionId}:${send.key}`, send)
export const forgetSend = (keep: BrowserStorage, sessionId: string, key: string) =>
  keep.remove(`send:${sessionId}:${key}`)
export const keepAnswer = (keep: BrowserStorage, sessionId: string, answer: PendingAnswer) =>
  keep.set(`answer:${sessionId}:${answer.toolCallId}`, answer)
export const forgetAnswer = (keep: BrowserStorage, sessionId: string, toolCallId: string) =>
  keep.remove(`answer:${sessionId}:${toolCallId}`)

export const postSend = (
  session: SessionClient,
  { text, key, whenBusy, active, files }: PendingSend,
  clientTools?: readonly ClientTool[]
): Promise<Reply<SendReceipt>> =>
  replyTo(
    session.send(text, {
      key,
      whenBusy,
      ...(active === undefined ? {} : { active }),
      ...(files === undefined ? {} : { files: files.map(({ id }) => id) }),
      ...(clientTools === undefined ? {} : { clientTools: [...clientTools] })
    })
  )

/**
 * Sends an answer. A client that reports a failure names its own tools, because it cannot fail calls of
 * another client's tools.
 */
export const postAnswer = (
  session: SessionClient,
  { toolCallId, answer }: PendingAnswer,
  clientTools: readonly ClientTool[] = []
): Promise<Reply<unknown>> =>
  replyTo(
    session.calls.answer(
      toolCallId,
      'error' in answer ? { ...answer, clientTools: clientTools.map(({ name }) => name) } : answer
    )
  )
