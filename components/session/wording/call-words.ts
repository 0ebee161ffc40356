import type { Call } from '@waystation/protocol/call/call.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { clock, isLate, left, length } from '#components/browser/format-time.ts'
import { connectionOutcome } from './connect-words.ts'

const ends = {
  declined: { soon: 'Declines', end: 'it is declined', was: 'so it was declined' },
  'not-connected': {
    soon: 'Ends',
    end: 'it ends without a connection',
    was: 'so the account was not connected'
  },
  error: { soon: 'Fails', end: 'it fails without an answer', was: 'so it failed' }
} as const

/**
 * Describes how long the call waits: "7 d left", or in the last fifth of its time "Declines in 58 min". `outcome` says how
 * it ends without an answer: "Without an answer by Fri 14:02, it is declined."
 */
export function deadlineWords(call: Call, now: number): { late: boolean; words: string; outcome: string } {
  const { soon, end } = ends[call.onDeadline]
  const late = isLate(call, now)
  const rest = left(call.deadline, now)
  return {
    late,
    words: late ? `${soon} in ${rest}` : `${rest} left`,
    outcome: `Without an answer by ${clock(call.deadline, now)}, ${end}.`
  }
}

/**
 * Describes how an expired call ended: "No answer by 14:02, so it was declined. The agent has been notified."
 */
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

/** Describes who settled a call: "Ana approved this at 14:03." `winner` is a call, or comes from an error. */
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

/** Names who decided something, after "by". A decision by link has the name "The answer link sent to …". */
export const byWords = (name: string) => name.replace(/^The answer link /, 'the answer link ')

/** Says what a pending call needs from the user. The header already says that the session waits. */
export const needOf = ({ kind }: Pick<Call, 'kind'>): string => needs[kind] ?? 'needs an answer'

const needs: Partial<Record<Call['kind'], string>> = {
  approval: 'needs approval',
  connection: 'needs an account',
  limit: 'needs a decision'
}

/** Returns the HTTP status of a response that a tool read, if it is an error. The call itself has succeeded. */
export function failedStatusOf({ output }: Pick<Call, 'output'>): number | undefined {
  if (!isJsonObject(output) || !('url' in output || 'contentType' in output || 'body' in output))
    return undefined
  const { status } = output
  return typeof status === 'number' && status >= 400 && status < 600 ? status : undefined
}

/**
 * Describes the state of a call for its row in a few words: "approved by Ana", "no answer by 14:02",
 * "failed".
 */
export function outcomeOf(call: Call, now: number | undefined): string {
  const connection = connectionOutcome(call)
  if (connection !== undefined) return connection
  const by = call.answeredBy === undefined ? '' : ` by ${byWords(call.answeredBy)}`
  const status = failedStatusOf(call)
  const refusal = status === undefined ? undefined : `HTTP ${status}`
  switch (call.state) {
    case 'open':
      return call.kind === 'server' ? (call.claimedAt === undefined ? 'queued' : 'running') : ''
    case 'answered':
      return ranAlone(call) ? (refusal ?? 'done') : `answered${by}`
    case 'approved': {
      const verb = call.render?.kind === 'elicit' ? 'answered' : 'approved'
      return `${verb}${by}${call.ranAt === undefined ? ', running' : refusal === undefined ? '' : `, ${refusal}`}`
    }
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

/**
 * True if the effect of a call is unknown, because its worker died while the tool ran
 * (docs/concepts/engine.md#claims).
 */
export const isUnknown = (call: Call): boolean =>
  call.state === 'failed' && /^outcome unknown/i.test(call.errorText ?? '')

/** True if the server or an external system ran the call, and no person had a part in it. */
const ranAlone = ({ kind, via }: Call) => kind === 'server' || via === 'callback'

/** Returns how long the call ran: "0.4 s". Empty if it did not run, or if its outcome is unknown. */
export function durationOf(call: Call, now: number | undefined): string {
  const end = call.ranAt ?? call.settledAt
  const start = call.claimedAt ?? (ranAlone(call) && end !== undefined ? call.since : undefined)
  if (start === undefined || isUnknown(call)) return ''
  if (end !== undefined) return length(Date.parse(end) - Date.parse(start))
  return now === undefined ? '' : length(Math.max(1000, now - Date.parse(start)))
}

/**
 * Returns how long a settled call waited for its answer, in milliseconds. Undefined for server calls and open
 * calls.
 */
export function waitedFor(call: Call): number | undefined {
  if (call.kind === 'server' || call.settledAt === undefined) return undefined
  return Date.parse(call.settledAt) - Date.parse(call.since)
}
