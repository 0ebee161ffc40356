import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Message, UserPart } from '@waystation/protocol/session/message.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { NewEntry } from '#lib/engine/context/context-entries.ts'
import { countPartTokens } from '#lib/kernel/count-part-tokens.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'

/** Returns a note for the model. Clients do not show it. */
export const note = (turnId: string, text: string): NewEntry => ({
  kind: 'note',
  turnId,
  payload: { text },
  tokens: countTokens(text)
})

/** Returns the note for a step that a plugin requested. */
export const extraStepNote = (turnId: string): NewEntry =>
  note(turnId, 'Continue: you have one more step. There is no new message.')

/**
 * Returns the note for the agent that receives the conversation in a handoff without a call. After a call,
 * its result says so.
 */
export function handedNote({ fromName, toName, reason }: HandOff, turnId: string): NewEntry {
  const reasonText = reason === undefined ? '' : ` Reason: ${reason}`
  const text = `${fromName} handed this conversation to you, ${toName}. Continue it as your own.${reasonText}`
  return note(turnId, text)
}

/** Returns the note for a "continue?" that was declined or expired. */
export function declinedLimitNotes({ state, toolCallId }: CallRow, turnId: string): NewEntry[] {
  if (state === 'approved') return []
  const explanation =
    state === 'expired' ? 'the request to continue expired' : 'the user chose not to continue'
  return [{ ...note(turnId, `This turn reached a limit, and ${explanation}.`), toolCallId }]
}

/** Returns the context entry of a user message. */
export function userEntry(
  turnId: string,
  messageId: string | null,
  parts: UserPart[],
  metadata: Message['metadata']
): NewEntry {
  const { duration } = metadata ?? {}
  const payload = { parts, ...(duration === undefined ? {} : { duration }) }
  return {
    kind: 'user',
    turnId,
    ...(messageId ? { messageId } : {}),
    payload,
    tokens: countPartTokens(parts)
  }
}

/** Returns the context entry of an out-of-band message. Its tokens include the element around its text. */
export function oobEntry(message: OutOfBand, turnId: string, messageId: string): NewEntry {
  const { id, source, sourceId, priority, content, metadata } = message
  const payload = { id, source, sourceId, priority, content, ...(metadata === undefined ? {} : { metadata }) }
  return { kind: 'oob', turnId, messageId, payload, tokens: countTokens(JSON.stringify(payload)) }
}
