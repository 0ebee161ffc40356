import type { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'

/** A policy as configured. It can have fields of a newer server version. */
export type Policy = AnswerPolicy & Record<string, unknown>

const knownFields = new Set(['roles', 'people', 'notAsker', 'links'])

/**
 * Returns a sentence for each group that can answer under `after` but not under `before`. Without a policy, all roles
 * that can answer are included. People who are added are always reported, because their roles are unknown here.
 */
export function escalatesByPolicy(
  before: Policy | undefined,
  after: Policy | undefined,
  what: string
): string[] {
  const sentences: string[] = []
  if (isRestricted(before) && !isRestricted(after))
    sentences.push(`All owners, editors and operators can answer ${what}.`)
  else if (isRestricted(before)) {
    const roles = onlyIn(after?.roles, before?.roles).map(role => `${role}s`)
    const people = onlyIn(after?.people, before?.people)
    sentences.push(...[...roles, ...people].map(who => `${capital(who)} can answer ${what}.`))
  }
  if (before?.notAsker === true && after?.notAsker !== true)
    sentences.push(`The person who asked can also approve ${what}.`)
  if (allowsLinks(after) && !allowsLinks(before))
    sentences.push(`Answer links and session tokens can answer ${what}.`)
  for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]))
    if (!knownFields.has(name) && JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
      sentences.push(`The rule for who can answer ${what} changed (${name}).`)
  return sentences
}

/** True if the policy names roles or people. */
const isRestricted = (policy: Policy | undefined): boolean =>
  policy?.roles !== undefined || policy?.people !== undefined

/** True if links and session tokens can answer (`answerers.ts`). */
const allowsLinks = (policy: Policy | undefined): boolean =>
  policy?.links ?? !(isRestricted(policy) || policy?.notAsker === true)

const onlyIn = (list: readonly string[] = [], other: readonly string[] = []): string[] =>
  list.filter(item => !other.includes(item))

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
