import { isWaiting } from '@waystation/protocol/call/call.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'

/** What goes out of the conversation with a turn: how many turns come after it, and how many requests still wait. */
export type TurnImpact = { later: number; waiting: number }

/**
 * As far as the page knows the conversation: running a turn again takes everything behind its person's message with it,
 * deleting it only the turn itself (`alone`).
 */
export function turnImpact(
  { messages, calls }: Transcript,
  messageId: string,
  { alone = false } = {}
): TurnImpact {
  const shown = messages.filter(({ message }) => message.metadata?.queued === undefined)
  const asks = (index: number) => shown[index]?.message.role === 'user'
  const named = shown.findIndex(({ message }) => message.id === messageId)
  let from = named
  while (from > 0 && !asks(from)) from--
  const next = shown.findIndex((_, index) => index > from && asks(index))
  const later = next < 0 ? 0 : shown.slice(next).filter(({ message }) => message.role === 'user').length
  const gone = new Set(
    shown.slice(from, alone && next >= 0 ? next : undefined).map(({ message }) => message.id)
  )
  const waiting = Object.values(calls).filter(call => isWaiting(call) && gone.has(call.messageId)).length
  return { later, waiting }
}

/** What goes, in words for the person who is about to say yes. Nothing goes that they would miss: undefined. */
export function impactWords({ later, waiting }: TurnImpact): string | undefined {
  const after = later === 0 ? [] : [`removes ${later === 1 ? '1 later turn' : `${later} later turns`}`]
  const asked =
    waiting === 0 ? [] : [`cancels ${waiting === 1 ? '1 pending request' : `${waiting} pending requests`}`]
  const all = [...after, ...asked]
  return all.length === 0 ? undefined : `This also ${all.join(' and ')}.`
}
