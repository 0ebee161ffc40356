import type { Answerers, Identity } from './answer-policy.ts'
import type { Call, CallKind } from './call.ts'

/**
 * A caller who wants to answer, as far as known. `id` is that of `Identity`. `unknown` marks a session token or an
 * answer link: the workspace does not know the person behind it.
 */
export type Answerer = { id?: string | undefined; role?: string | undefined; unknown?: boolean }

/**
 * True for calls that ask people, and so can have a policy. "Continue?" has no policy at the end of a turn's budget,
 * because any message continues too (decision 012). At a spending cap it has one. Client tools and external tools are
 * answered by the client and by the external service.
 */
export const isAskedOfPeople = (kind: CallKind): boolean =>
  kind === 'approval' || kind === 'question' || kind === 'connection' || kind === 'limit'

type PolicyCall = Pick<Call, 'kind' | 'answerers'>

/**
 * Returns why this caller cannot answer the call, in a sentence that says who can. Undefined: the caller can answer.
 */
export function denialReason({ kind, answerers }: PolicyCall, by: Answerer): string | undefined {
  if (answerers === undefined || !isAskedOfPeople(kind)) return undefined
  const { roles, people, askers, links } = answerers
  const clause = answererClause({ kind, answerers })
  if (kind === 'approval' && askers?.some(({ id }) => id === by.id)) return `${clause}.`
  if (by.unknown) {
    if (links || people?.some(({ id }) => id === by.id)) return undefined
    const sentence = 'Answer links and session tokens cannot be used for this.'
    return clause === undefined ? sentence : `${clause}. ${sentence}`
  }
  if (roles === undefined && people === undefined) return undefined
  const isAllowed = roles?.some(role => role === by.role) || people?.some(({ id }) => id === by.id)
  return isAllowed ? undefined : `${clause}.`
}

/**
 * Returns a clause that says who can answer this call: "Only owners can answer this", "Someone other than Ada must
 * approve this". Undefined: there is no restriction.
 */
export function answererClause({ kind, answerers }: PolicyCall): string | undefined {
  if (answerers === undefined || !isAskedOfPeople(kind)) return undefined
  const { group, others } = groupsOf({ kind, answerers })
  if (group === undefined)
    return others === undefined ? undefined : `Someone other than ${others} must approve this`
  const except = others === undefined ? '' : `, but not ${others}`
  return `Only ${group} can ${kind === 'approval' ? 'approve' : 'answer'} this${except}`
}

/**
 * Returns a phrase for the people who can answer: "owners and Ada", "someone other than Bob". Undefined: there is no
 * restriction.
 */
export function answererPhrase({ kind, answerers }: PolicyCall): string | undefined {
  if (answerers === undefined || !isAskedOfPeople(kind)) return undefined
  const { group, others } = groupsOf({ kind, answerers })
  if (group === undefined) return others === undefined ? undefined : `someone other than ${others}`
  return others === undefined ? group : `${group}, not ${others}`
}

function groupsOf({ kind, answerers }: { kind: CallKind; answerers: Answerers }) {
  const { roles = [], people = [], askers = [] } = answerers
  const names = (list: readonly Identity[]) => list.map(({ name }) => name)
  return {
    group: joinNames([...roles.map(role => `${role}s`), ...names(people)], 'and'),
    others: kind === 'approval' ? joinNames(names(askers), 'or') : undefined
  }
}

function joinNames(names: readonly string[], conjunction: string): string | undefined {
  const last = names.at(-1)
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${conjunction} ${last}`
}
