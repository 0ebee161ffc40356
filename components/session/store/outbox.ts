import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import type { ErrorBody } from '@waystation/protocol/error-body.ts'
import type { AttachedItem } from '@waystation/protocol/external-agent/active-item.ts'
import type { StoredFile } from '@waystation/protocol/session/file.ts'
import type { ClientTool, SendReceipt, WhenBusy } from '@waystation/protocol/session/session.ts'
import type { Http, Reply } from '#components/browser/http.ts'
import type { BrowserStorage } from '#components/browser/storage.ts'

/** A message on its way. `key` is made once, so that sending it again after a lost reply sends it once. */
export type PendingSend = {
  key: string
  text: string
  whenBusy: WhenBusy
  active?: AttachedItem | undefined
  /** What goes along: on the server already, so that a reload loses nothing of it. */
  files?: readonly StoredFile[] | undefined
  at: string
  state: 'sending' | 'unsent' | 'accepted' | 'refused'
  messageId?: string
  refusal?: ErrorBody
}

/** An answer on its way. The server takes the same answer to the same call again, so it needs no key. */
export type PendingAnswer = {
  toolCallId: string
  /** Since when the call has waited that it answers: one call can wait several times, each for something else. */
  since?: string | undefined
  answer: Answer
  at: string
  state: 'sending' | 'unsent' | 'accepted' | 'refused'
  refusal?: ErrorBody
}

export type Pending = {
  sends: readonly PendingSend[]
  answers: Readonly<Record<string, PendingAnswer>>
}

export const nothingPending: Pending = { sends: [], answers: {} }

/** Whether a call still waits for what an answer was to that it had waited for since then. */
export const isFor = (call: Pick<Call, 'since'>, since: string | undefined): boolean =>
  since === undefined || since === call.since

/** The answer that is on its way to what a call waits for now. */
export function answerTo({ answers }: Pending, call: Pick<Call, 'toolCallId' | 'since'>) {
  const answer = answers[call.toolCallId]
  return answer !== undefined && isFor(call, answer.since) ? answer : undefined
}

/** What was kept of a session's unsent things by an earlier page: sends in the order they were written. */
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
  http: Http,
  sessionId: string,
  { text, key, whenBusy, active, files }: PendingSend,
  clientTools?: readonly ClientTool[]
): Promise<Reply<SendReceipt>> => {
  const body = {
    text,
    key,
    whenBusy,
    ...(active === undefined ? {} : { active }),
    ...(files === undefined ? {} : { files: files.map(({ id }) => id) }),
    ...(clientTools === undefined ? {} : { clientTools })
  }
  return http('POST', `/api/sessions/${encodeURIComponent(sessionId)}/messages`, body, {
    'idempotency-key': key
  })
}

/** A browser that says a call failed says which tools are its own: another one's it may not fail. */
export const postAnswer = (
  http: Http,
  sessionId: string,
  { toolCallId, answer }: PendingAnswer,
  clientTools: readonly ClientTool[] = []
): Promise<Reply<{ toolCallId: string; state: string }>> =>
  http(
    'POST',
    `/api/sessions/${encodeURIComponent(sessionId)}/calls/${encodeURIComponent(toolCallId)}/answer`,
    'error' in answer ? { ...answer, clientTools: clientTools.map(({ name }) => name) } : answer
  )

/** A key nobody else makes: also on a page without a secure context, where `randomUUID` is missing. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
