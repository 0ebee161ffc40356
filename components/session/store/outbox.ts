import type { WaystationError } from '@waystation/client'
import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import type { AttachedItem } from '@waystation/protocol/external-agent/active-item.ts'
import type { OobMetadata, OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { StoredFile } from '@waystation/protocol/session/file.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import type { WhenBusy } from '@waystation/protocol/session/session.ts'

/** How to send an out-of-band message. `relatedTo` is the ID of what it is about. */
export type Telling = { priority: OobPriority } & Pick<OobMetadata, 'action' | 'relatedTo'>

/**
 * A message that the log does not show yet. `key` is created once, so the server accepts a retried message
 * only once.
 */
export type PendingSend = {
  key: string
  text: string
  whenBusy: WhenBusy
  active?: AttachedItem | undefined
  /** Set for an out-of-band message, which has no files. */
  tell?: Telling | undefined
  /** Attached files. They are already uploaded, so a reload does not lose them. */
  files?: readonly StoredFile[] | undefined
  at: string
  state: 'sending' | 'unsent' | 'accepted' | 'refused'
  /** The ID of the message or out-of-band message in the log. */
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
  /** When a held answer is sent. Until then, the user can undo it. */
  notBefore?: string | undefined
  state: 'held' | 'sending' | 'unsent' | 'accepted' | 'refused'
  refusal?: WaystationError
}

export type Pending = {
  sends: readonly PendingSend[]
  answers: Readonly<Record<string, PendingAnswer>>
}

export const nothingPending: Pending = { sends: [], answers: {} }

/** Tells whether the call is still in the wait that started at `since`. Undefined matches every wait. */
const isFor = (call: Pick<Call, 'since'>, since: string | undefined): boolean =>
  since === undefined || since === call.since

/** Returns the pending answer to what the call waits for now. */
export function answerTo({ answers }: Pending, call: Pick<Call, 'toolCallId' | 'since'>) {
  const answer = answers[call.toolCallId]
  return answer !== undefined && isFor(call, answer.since) ? answer : undefined
}

/** Tells whether an answer is held or on its way to the server, so that no second one can be given. */
export const isBusy = (answer: PendingAnswer | undefined): boolean =>
  answer !== undefined && answer.state !== 'refused'

/** Removes what the transcript already shows: messages that it contains, and answers to waits that ended. */
export function stillPending(pending: Pending, { messages, calls, outOfBand }: Transcript): Pending {
  const isShown = (id: string) => id in outOfBand || messages.some(({ message }) => message.id === id)
  const sends = pending.sends.filter(({ messageId }) => messageId === undefined || !isShown(messageId))
  const answers = Object.values(pending.answers).filter(({ toolCallId, since, state }) => {
    const call = calls[toolCallId]
    if (call === undefined) return true
    if (state === 'refused') return isFor(call, since)
    return state !== 'accepted' || (call.state === 'open' && isFor(call, since))
  })
  if (sends.length === pending.sends.length && answers.length === Object.keys(pending.answers).length)
    return pending
  return { sends, answers: Object.fromEntries(answers.map(answer => [answer.toolCallId, answer])) }
}
