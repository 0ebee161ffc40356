import type { CallRow } from '#lib/calls/call-row.ts'
import type { NewEntry } from '#lib/messages/context.ts'
import { countTokens } from '#lib/models/count-tokens.ts'
import type { HandOff } from '#lib/protocol/hand-off.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band.ts'

/** What the model is told when a plugin gives it another round. */
export const anotherRound = (turnId: string): NewEntry => ({
  kind: 'note',
  turnId,
  payload: { text: 'You have the next round as well: go on. Nobody has said anything new.' },
  tokens: 18
})

/** What the model of an agent is told that the conversation was handed to, where no result of a call says so. */
export function handedNote({ fromName, toName, reason }: HandOff, turnId: string): NewEntry {
  const why = reason === undefined ? '' : ` Why: ${reason}`
  const text = `The conversation was handed from ${fromName} to you, ${toName}: go on with it as your own.${why}`
  return { kind: 'note', turnId, payload: { text }, tokens: countTokens(text) }
}

/** What the model is told of a "continue?" that nobody said yes to; nothing of one that was no longer asked. */
export function refusalOf({ state, toolCallId }: CallRow, turnId: string): NewEntry[] {
  if (state === 'approved') return []
  const why = state === 'expired' ? 'nobody said that you may go on' : 'the person chose not to go on'
  return [
    {
      kind: 'note',
      turnId,
      toolCallId,
      payload: { text: `A limit was reached here and ${why}.` },
      tokens: 16
    }
  ]
}

/** What the model is told of an out-of-band message; the heuristic counts its words and its element. */
export function oobEntry(told: OutOfBand, turnId: string, messageId: string): NewEntry {
  const { id, source, sourceId, priority, content, metadata } = told
  const payload = { id, source, sourceId, priority, content, ...(metadata === undefined ? {} : { metadata }) }
  return { kind: 'oob', turnId, messageId, payload, tokens: countTokens(JSON.stringify(payload)) }
}
