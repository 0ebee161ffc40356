import type { Call } from '@waystation/protocol/call/call.ts'
import { clock, isLate, left, length } from '#components/browser/format-time.ts'
import { connectionOutcome } from './connect-words.ts'

const ends = {
  declined: { end: 'then is declined', soon: 'Declines automatically', was: 'so it was declined' },
  'not-connected': {
    end: 'then ends without a connection',
    soon: 'Ends automatically',
    was: 'so the account was not connected'
  },
  error: { end: 'then fails without an answer', soon: 'Fails automatically', was: 'so it failed' }
} as const

/**
 * How long the call waits, and how it ends without an answer: "You can close this tab; it waits until Fri 14:02, then
 * is declined." In the last fifth of its time: "Declines automatically in 58 min."
 */
export function deadlineWords(call: Call, now: number): { late: boolean; words: string } {
  const words = ends[call.onDeadline]
  if (isLate(call, now)) return { late: true, words: `${words.soon} in ${left(call.deadline, now)}.` }
  return {
    late: false,
    words: `You can close this tab; it waits until ${clock(call.deadline, now)}, ${words.end}.`
  }
}

/** "No answer by 14:02, so it was declined. The agent has been notified." */
export const expiredWords = (call: Call, now: number): string =>
  `No answer by ${clock(call.deadline, now)}, ${ends[call.onDeadline].was}. The agent has been notified.`

const verbs: Partial<Record<Call['state'], string>> = {
  answered: 'answered',
  approved: 'approved',
  denied: 'declined',
  declined: 'declined',
  cancelled: 'canceled',
  failed: 'settled'
}

/** "Ana approved this at 14:03." — who was faster, from the call itself or from a refusal's `winner`. */
export function winnerWords(
  winner: { state: string; answeredBy?: string; at?: string },
  now: number | undefined,
  me?: string
): string {
  const verb = verbs[winner.state as Call['state']]
  const at = winner.at === undefined || now === undefined ? '' : ` at ${clock(winner.at, now)}`
  if (verb === undefined) return `This request was already closed${at}.`
  const who =
    winner.answeredBy === undefined ? 'Someone else' : winner.answeredBy === me ? 'You' : winner.answeredBy
  return `${who} ${verb} this${at}.`
}

/** How a call stands, in a word or three, for its row: "approved by Ana", "no answer by 14:02", "failed". */
export function outcomeOf(call: Call, now: number | undefined): string {
  const connection = connectionOutcome(call)
  if (connection !== undefined) return connection
  const by = call.answeredBy === undefined ? '' : ` by ${call.answeredBy}`
  switch (call.state) {
    case 'open':
      return call.kind === 'server' ? (call.claimedAt === undefined ? 'queued' : 'running') : ''
    case 'answered':
      return call.kind === 'server' ? 'done' : `answered${by}`
    case 'approved':
      if (call.render?.kind === 'elicit')
        return call.ranAt === undefined ? `answered${by}, running` : `answered${by}`
      return call.ranAt === undefined ? `approved${by}, running` : `approved${by}`
    case 'denied':
    case 'declined':
      return `declined${by}`
    case 'expired':
      return now === undefined ? 'no answer' : `no answer by ${clock(call.deadline, now)}`
    case 'cancelled':
      return `canceled${by}`
    case 'failed':
      return isUnknown(call) ? 'outcome unknown' : 'failed'
  }
}

/** A call whose effect may or may not have happened: its worker died in the middle (docs/concepts/engine.md#claims). */
export const isUnknown = (call: Call): boolean =>
  call.state === 'failed' && /^outcome unknown/i.test(call.errorText ?? '')

/** How long our code ran, or an answer took: "0.4 s". */
export function durationOf(call: Call, now: number | undefined): string {
  if (isUnknown(call)) return ''
  const end = call.ranAt ?? call.settledAt
  const start = call.claimedAt ?? call.since
  if (end !== undefined)
    return call.claimedAt === undefined && call.kind !== 'server'
      ? ''
      : length(Date.parse(end) - Date.parse(start))
  if (call.claimedAt === undefined || now === undefined) return ''
  return length(Math.max(1000, now - Date.parse(start)))
}

/** How long a settled call had waited for somebody, in ms; undefined for our own code's calls and for open ones. */
export function waitedFor(call: Call): number | undefined {
  if (call.kind === 'server' || call.settledAt === undefined) return undefined
  return Date.parse(call.settledAt) - Date.parse(call.since)
}
