import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { NewEntry } from '#lib/engine/context/context-entries.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { HandOff } from '#lib/protocol/agent/hand-off.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'

/** What the model is told when a plugin gives it another round. */
export const anotherRound = (turnId: string): NewEntry => ({
  kind: 'note',
  turnId,
  payload: { text: continueText },
  tokens: countTokens(continueText)
})
const continueText = 'Continue: you have one more step. There is no new message.'

/** What the model of an agent is told that the conversation was handed to, where no result of a call says so. */
export function handedNote({ fromName, toName, reason }: HandOff, turnId: string): NewEntry {
  const why = reason === undefined ? '' : ` Reason: ${reason}`
  const text = `${fromName} handed this conversation to you, ${toName}. Continue it as your own.${why}`
  return { kind: 'note', turnId, payload: { text }, tokens: countTokens(text) }
}

/** What the model is told of a "continue?" that nobody said yes to; nothing of one that was no longer asked. */
export function refusalOf({ state, toolCallId }: CallRow, turnId: string): NewEntry[] {
  if (state === 'approved') return []
  const why = state === 'expired' ? 'the request to continue expired' : 'the user chose not to continue'
  const text = `This turn reached a limit, and ${why}.`
  return [
    {
      kind: 'note',
      turnId,
      toolCallId,
      payload: { text },
      tokens: countTokens(text)
    }
  ]
}

/** What the model is told of an out-of-band message; the heuristic counts its words and its element. */
export function oobEntry(told: OutOfBand, turnId: string, messageId: string): NewEntry {
  const { id, source, sourceId, priority, content, metadata } = told
  const payload = { id, source, sourceId, priority, content, ...(metadata === undefined ? {} : { metadata }) }
  return { kind: 'oob', turnId, messageId, payload, tokens: countTokens(JSON.stringify(payload)) }
}
