import { type Answerer, denialReason } from '@waystation/protocol/call/answerers.ts'
import { isWaiting, waitsForPerson } from '@waystation/protocol/call/call.ts'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'

export type Filter = 'all' | 'you' | 'failed'

/** Whether something in it waits for a person whom its policy lets answer, or anything in the sessions of its sub-agents. */
export const waitsForMe = (session: ListedSession, by: Answerer = {}): boolean =>
  (session.subAgents?.waiting ?? 0) > 0 ||
  session.waitingFor.some(
    call => isWaiting(call) && waitsForPerson(call) && denialReason(call, by) === undefined
  )

const waitsForSomebody = (session: ListedSession): boolean => session.waitingFor.some(waitsForPerson)

/** Another system did not accept what it was sent, and nothing waits for a person before that. */
export const isUndelivered = (session: ListedSession): boolean =>
  session.undelivered === true && !waitsForSomebody(session) && session.status !== 'running'

/** "1 needs your approval, 2 out-of-band messages": what came beside the conversation, and the agent was not told yet. */
export function besideWords(
  { waiting, held }: NonNullable<ListedSession['outOfBand']>,
  mayAnswer: boolean
): string {
  const heldWords =
    held === 0 ? [] : [`${held} ${held === 1 ? 'needs' : 'need'} ${mayAnswer ? 'your ' : ''}approval`]
  const waitingWords =
    waiting === 0 ? [] : [`${waiting} out-of-band ${waiting === 1 ? 'message' : 'messages'}`]
  return [...heldWords, ...waitingWords].join(', ')
}

/** How many rows that wait for me stand on top; the rest is one line that leads to all of them. */
export const mostPinned = 5

/** The rows as they stand under each other: what waits for me first, then by activity. */
export function arranged(rows: readonly ListedSession[], filter: Filter, by: Answerer = {}) {
  const isMine = (row: ListedSession) => waitsForMe(row, by)
  if (filter === 'you') return { pinned: [], hidden: 0, rest: rows.filter(isMine) }
  if (filter === 'failed')
    return { pinned: [], hidden: 0, rest: rows.filter(row => row.status === 'failed' || isUndelivered(row)) }
  const waiting = rows.filter(isMine)
  const pinned = waiting.slice(0, mostPinned)
  return { pinned, hidden: waiting.length - pinned.length, rest: rows.filter(row => !pinned.includes(row)) }
}
