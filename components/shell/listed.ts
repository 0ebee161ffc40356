import { isWaiting, waitsForPerson } from '#lib/protocol/call.ts'
import type { ListedSession } from '#lib/protocol/listed-session.ts'

export type Filter = 'all' | 'you' | 'failed'

export const waitsForMe = (session: ListedSession): boolean =>
  session.waitingFor.some(call => isWaiting(call) && waitsForPerson(call))

/** Another system did not accept what it was sent, and nothing waits for a person before that. */
export const isUndelivered = (session: ListedSession): boolean =>
  session.undelivered === true && !waitsForMe(session) && session.status !== 'running'

/** How many rows that wait for me stand on top; the rest is one line that leads to all of them. */
export const mostPinned = 5

/** The rows as they stand under each other: what waits for me first, then by activity. */
export function arranged(rows: readonly ListedSession[], filter: Filter) {
  if (filter === 'you') return { pinned: [], hidden: 0, rest: rows.filter(waitsForMe) }
  if (filter === 'failed') return { pinned: [], hidden: 0, rest: rows.filter(row => row.status === 'failed') }
  const waiting = rows.filter(waitsForMe)
  const pinned = waiting.slice(0, mostPinned)
  return { pinned, hidden: waiting.length - pinned.length, rest: rows.filter(row => !pinned.includes(row)) }
}
