import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { NewEntry } from '#lib/engine/context/context-entries.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { HandOff } from '#lib/protocol/agent/hand-off.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'

/** A note for the model, which no client shows. */
export const note = (turnId: string, text: string): NewEntry => ({
  kind: 'note',
  turnId,
  payload: { text },
  tokens: countTokens(text)
})

/** The note for another round by a plugin. */
export const anotherRound = (turnId: string): NewEntry =>
  note(turnId, 'Continue: you have one more step. There is no new message.')

/** The note for the agent that receives the conversation in a handoff without a call, whose result would say so. */
export function handedNote({ fromName, toName, reason }: HandOff, turnId: string): NewEntry {
  const why = reason === undefined ? '' : ` Reason: ${reason}`
  const text = `${fromName} handed this conversation to you, ${toName}. Continue it as your own.${why}`
  return note(turnId, text)
}

/** The note for a "continue?" that was declined or expired. */
export function refusalOf({ state, toolCallId }: CallRow, turnId: string): NewEntry[] {
  if (state === 'approved') return []
  const why = state === 'expired' ? 'the request to continue expired' : 'the user chose not to continue'
  return [{ ...note(turnId, `This turn reached a limit, and ${why}.`), toolCallId }]
}

/** The entry of an out-of-band message. Its tokens include the element around its text. */
export function oobEntry(told: OutOfBand, turnId: string, messageId: string): NewEntry {
  const { id, source, sourceId, priority, content, metadata } = told
  const payload = { id, source, sourceId, priority, content, ...(metadata === undefined ? {} : { metadata }) }
  return { kind: 'oob', turnId, messageId, payload, tokens: countTokens(JSON.stringify(payload)) }
}
