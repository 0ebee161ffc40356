import { isWaiting } from '#lib/protocol/call.ts'
import type { Transcript } from '#lib/protocol/fold.ts'

/** What goes out of the conversation with a turn: how many turns come after it, and how many requests still wait. */
export type Behind = { later: number; waiting: number }

/**
 * As far as the page knows the conversation: running a turn again takes everything behind its person's message with it,
 * deleting it only the turn itself (`alone`).
 */
export function behind({ messages, calls }: Transcript, messageId: string, { alone = false } = {}): Behind {
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
export function goesWords({ later, waiting }: Behind): string | undefined {
  const after = later === 0 ? [] : [later === 1 ? 'the turn after it' : `the ${later} turns after it`]
  const asked =
    waiting === 0 ? [] : [waiting === 1 ? 'the request that waits' : `the ${waiting} requests that wait`]
  const all = [...after, ...asked]
  if (all.length === 0) return undefined
  const words = all.join(' and ')
  const one = all.length === 1 && later + waiting === 1
  return `${words[0]?.toUpperCase()}${words.slice(1)} ${one ? 'goes' : 'go'} too.`
}
