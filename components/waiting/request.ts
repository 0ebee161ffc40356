import { answererPhrase } from '@waystation/protocol/call/answerers.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import { waitsForPerson } from '@waystation/protocol/call/pending.ts'
import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import type { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import { isLate } from '#components/browser/format-time.ts'
import { cardHeading } from '#components/session/wording/card-heading.ts'
import { isPlainApproval, systemOf } from '#components/session/wording/describe-call.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'

/** A pending request: a call, or an out-of-band message that is held for approval. */
export type Request = WaitingCall | HeldMessage

export const isCall = (request: Request): request is WaitingCall => 'toolCallId' in request

/** Returns the ID of a request, which the URL contains. */
export const keyOf = (request: Request): string =>
  `${request.sessionId}/${isCall(request) ? request.toolCallId : request.id}`

/** Returns the call without the fields that the list adds from its session. */
export const callOf = ({ sessionId, agentId, mine, callTitle, ...call }: WaitingCall): Call => ({
  ...call,
  title: callTitle
})

/**
 * Tells whether this user can approve a request together with others of its tool. Changes of an agent, and of a tool's
 * definition, are reviewed one by one.
 */
export const isForSeveral = (request: Request): request is WaitingCall =>
  isCall(request) && request.mine && isPlainApproval(request)

/** Merges the requests, nearest deadline first. Messages that never expire come last, oldest first. */
export const merged = (calls: readonly WaitingCall[], held: readonly HeldMessage[]): Request[] =>
  held.length === 0
    ? [...calls]
    : [...calls, ...held].sort((a, b) => (untilOf(a) ?? '9999').localeCompare(untilOf(b) ?? '9999'))

const untilOf = (request: Request): string | undefined =>
  isCall(request) ? request.deadline : request.expiresAt

/**
 * Returns the content of a request's row. `asked` says who must answer, and `until` is undefined if it never ends. `sender`
 * says who sent a held message, and its priority.
 */
export function describe(request: Request, now: number | undefined) {
  const until = untilOf(request)
  const isDue = now !== undefined && until !== undefined && Date.parse(until) <= now
  if (!isCall(request))
    return {
      title: `Message: ${request.content.slice(0, 200)}`,
      sender: `${fromWords(request)} (${request.priority})`,
      forPerson: true,
      asked: request.mine ? 'You' : 'An operator',
      since: request.queuedAt,
      until,
      isDue,
      isNear: isDue,
      href: sessionPath(request.sessionId, { oob: request.id })
    }
  return {
    // The short form tells URLs apart.
    title: waitsForPerson(request) ? cardHeading(callOf(request)).short : cardHeading(callOf(request)).title,
    sender: undefined,
    forPerson: waitsForPerson(request),
    asked: askedOf(request),
    since: request.since,
    until,
    isDue,
    isNear: isDue || (now !== undefined && isLate(request, now)),
    href: sessionPath(request.sessionId, { call: request.toolCallId })
  }
}

/**
 * Returns who must answer: the user, the people in the answer policy, or the external service or sub-agent.
 */
function askedOf(call: WaitingCall): string {
  if (!waitsForPerson(call)) return systemOf(callOf(call))
  const group = answererPhrase(call)
  if (group === undefined) return call.mine ? 'You' : 'An operator'
  return call.mine ? `You · ${group}` : group.charAt(0).toUpperCase() + group.slice(1)
}
