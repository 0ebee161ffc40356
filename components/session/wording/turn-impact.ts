import { isWaiting } from '@waystation/protocol/call/pending.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'

/** The effects of rerunning or deleting a turn: the number of later turns, and of pending calls. */
export type TurnImpact = { later: number; waiting: number }

/**
 * Counts the effects in the messages that the page has loaded. Rerunning a turn removes everything after its
 * user message. Deleting it removes only the turn itself (`alone`).
 */
export function turnImpact(
  { messages, calls }: Transcript,
  messageId: string,
  { alone = false } = {}
): TurnImpact {
  const shown = messages.filter(({ message }) => message.metadata?.queued === undefined)
  const asks = (index: number) => shown[index]?.message.role === 'user'
  let from = shown.findIndex(({ message }) => message.id === messageId)
  while (from > 0 && !asks(from)) from--
  const next = shown.findIndex((_, index) => index > from && asks(index))
  const later = shown.filter((_, index) => index > from && asks(index)).length
  const gone = new Set(
    shown.slice(from, alone && next >= 0 ? next : undefined).map(({ message }) => message.id)
  )
  const waiting = Object.values(calls).filter(call => isWaiting(call) && gone.has(call.messageId)).length
  return { later, waiting }
}

/** Describes the effects for the user who must confirm them. Returns undefined if there are none. */
export function impactWords({ later, waiting }: TurnImpact): string | undefined {
  const turns = later > 0 && `removes ${later} later ${later === 1 ? 'turn' : 'turns'}`
  const requests = waiting > 0 && `cancels ${waiting} pending ${waiting === 1 ? 'request' : 'requests'}`
  const all = [turns, requests].filter(Boolean)
  return all.length === 0 ? undefined : `This also ${all.join(' and ')}.`
}
