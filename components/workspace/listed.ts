import { type Answerer, denialReason } from '@waystation/protocol/call/answerers.ts'
import { isWaiting, waitingFor as waitingIn, waitsForPerson } from '@waystation/protocol/call/pending.ts'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'

/** `you`: sessions that wait for this user. */
export type Filter = 'all' | 'you' | 'failed'

/**
 * Returns true if this user can answer a pending call of the session, if an out-of-band message is held in it,
 * or if a call is pending in the session of a sub-agent.
 */
export const waitsForMe = (session: ListedSession, by: Answerer = {}): boolean =>
  (session.subAgents?.waiting ?? 0) > 0 ||
  (session.outOfBand?.held ?? 0) > 0 ||
  session.waitingFor.some(
    call => isWaiting(call) && waitsForPerson(call) && denialReason(call, by) === undefined
  )

/**
 * True if an external system did not accept a message or call, no call waits for a person, and no turn runs.
 */
export const isUndelivered = (session: ListedSession): boolean =>
  session.undelivered === true && !session.waitingFor.some(waitsForPerson) && session.status !== 'running'

/** Describes messages that the agent has not received: "1 needs your approval, 2 signals". */
export function besideWords(
  { waiting, held }: NonNullable<ListedSession['outOfBand']>,
  mayAnswer: boolean
): string {
  const heldWords =
    held === 0 ? [] : [`${held} ${held === 1 ? 'needs' : 'need'} ${mayAnswer ? 'your ' : ''}approval`]
  const waitingWords = waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'signal' : 'signals'}`]
  return [...heldWords, ...waitingWords].join(', ')
}

/** Returns the nearest deadline of the calls that wait for a person. Undefined if none does. */
export const dueOf = ({ waitingFor }: ListedSession): string | undefined =>
  waitingIn(waitingFor).find(waitsForPerson)?.deadline

/** Maximum number of rows at the top that wait for the user. One line links to the others. */
const mostPinned = 5

/**
 * Arranges the rows: first up to `mostPinned` that wait for the user, nearest deadline first, then the others in their
 * order.
 */
export function arranged(rows: readonly ListedSession[], filter: Filter, by: Answerer = {}) {
  const isMine = (row: ListedSession) => waitsForMe(row, by)
  if (filter === 'you') return { pinned: [], hidden: 0, rest: rows.filter(isMine) }
  if (filter === 'failed')
    return { pinned: [], hidden: 0, rest: rows.filter(row => row.status === 'failed' || isUndelivered(row)) }
  // Held messages and requests of sub-agents come last, because the list does not have their deadlines.
  const due = (row: ListedSession) => dueOf(row) ?? '9999'
  const waiting = rows.filter(isMine).sort((a, b) => due(a).localeCompare(due(b), 'en'))
  const pinned = waiting.slice(0, mostPinned)
  return { pinned, hidden: waiting.length - pinned.length, rest: rows.filter(row => !pinned.includes(row)) }
}
