import type { AnswerPolicy } from '#lib/protocol/call/answerers.ts'

/** A policy as it stands in a configuration, perhaps of a server that knows more of them. */
export type Policy = AnswerPolicy & Record<string, unknown>

const known = new Set(['roles', 'people', 'notAsker', 'links'])

/**
 * Who may answer under a policy and might not under the one before, a sentence each. Without a policy everybody may whose role
 * may answer at all. A person counts as new though a role that may answer covers them: who has which role is not known here.
 */
export function escalatesByPolicy(
  before: Policy | undefined,
  after: Policy | undefined,
  what: string
): string[] {
  const sentences: string[] = []
  if (isClosed(before) && !isClosed(after))
    sentences.push(`All owners, editors and operators can answer ${what}.`)
  else if (isClosed(before)) {
    const roles = missing(after?.roles, before?.roles).map(role => `${role}s`)
    const people = missing(after?.people, before?.people)
    sentences.push(...[...roles, ...people].map(who => `${capital(who)} can answer ${what}.`))
  }
  if (before?.notAsker === true && after?.notAsker !== true)
    sentences.push(`The person who asked can also approve ${what}.`)
  if (byLink(after) && !byLink(before)) sentences.push(`Answer links and session tokens can answer ${what}.`)
  for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]))
    if (!known.has(name) && JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
      sentences.push(`The rule for who can answer ${what} changed (${name}).`)
  return sentences
}

/** Whether only some may answer. */
const isClosed = (policy: Policy | undefined): boolean =>
  policy?.roles !== undefined || policy?.people !== undefined

/** Whether those may answer whom nobody here knows (`answerers.ts`). */
const byLink = (policy: Policy | undefined): boolean =>
  policy?.links ?? !(isClosed(policy) || policy?.notAsker === true)

const missing = (list: readonly string[] = [], from: readonly string[] = []): string[] =>
  list.filter(item => !from.includes(item))

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
