import { z } from 'zod'
import type { Call, CallKind } from './call.ts'

/** The roles that may answer at all; a viewer never does. */
export const AnswerRole = z.enum(['owner', 'editor', 'operator'])
export type AnswerRole = z.infer<typeof AnswerRole>

/**
 * Who may answer what an agent, or one of its tools, asks of people. Without one: everybody whose role may answer, session
 * tokens of that scope, and whoever holds an answer link.
 *
 * - `roles`, `people` (user IDs): one of these roles or one of these people. API keys have a role and are no people.
 * - `notAsker`: what needs approval is approved (or declined) by somebody else than whoever's message led to it.
 * - `links`: whether session tokens and answer links may answer too. Who is behind them is not known here, so it is
 *   false as soon as any of the others is said, unless it is said itself.
 */
export const AnswerPolicy = z.strictObject({
  roles: z.array(AnswerRole).min(1).max(3).optional(),
  people: z.array(z.string().min(1).max(255)).min(1).max(50).optional(),
  notAsker: z.boolean().optional(),
  links: z.boolean().optional()
})
export type AnswerPolicy = z.infer<typeof AnswerPolicy>

/** Somebody, by an ID that tells kinds of callers apart (`person:…`, `key:…`, `subject:…`) and by name. */
export const Identity = z.object({ id: z.string(), name: z.string() })
export type Identity = z.infer<typeof Identity>

/**
 * The person or end user whose own accounts a call can use, fixed when the call opened. `others` are the names of all
 * others whose words the agent has received; if there are any, the owner must approve the call before an account of theirs is used.
 */
export const AccountOf = Identity.extend({ others: z.array(z.string()).optional() })
export type AccountOf = z.infer<typeof AccountOf>

/** The same with whether the owner was asked about this call and approved it. */
export type CallAccount = AccountOf & { approved: boolean }

/** Who may answer one call: its policy as it was when the call opened, with names. `askers` may not approve it. */
export const Answerers = z.object({
  roles: z.array(AnswerRole).optional(),
  people: z.array(Identity).optional(),
  askers: z.array(Identity).optional(),
  links: z.boolean()
})
export type Answerers = z.infer<typeof Answerers>

/**
 * Somebody who would answer, as far as they are known: `id` as in `Identity`. `unknown`: a session token or an answer link,
 * which stand for somebody whom this workspace does not know.
 */
export type Answerer = { id?: string | undefined; role?: string | undefined; unknown?: boolean }

/**
 * What is asked of people, and so may have a policy. "Continue?" has none at the end of a turn's own budget, since any
 * message goes on as well (decision 012), and one at a spending cap. A browser's tool is its browser's, another system's
 * call that system's.
 */
export const isAskedOfPeople = (kind: CallKind): boolean =>
  kind === 'approval' || kind === 'question' || kind === 'connection' || kind === 'limit'

type Asked = Pick<Call, 'kind' | 'answerers'>

/** Why this one may not answer this call, in a sentence that says who may; undefined when they may. */
export function denialReason({ kind, answerers }: Asked, by: Answerer): string | undefined {
  if (answerers === undefined || !isAskedOfPeople(kind)) return undefined
  const { roles, people, askers, links } = answerers
  const words = answererWords({ kind, answerers })
  if (kind === 'approval' && askers?.some(({ id }) => id === by.id)) return `${words}.`
  if (by.unknown) {
    if (links || people?.some(({ id }) => id === by.id)) return undefined
    const sentence = 'Answer links and session tokens cannot be used for this.'
    return words === undefined ? sentence : `${words}. ${sentence}`
  }
  if (roles === undefined && people === undefined) return undefined
  const fits = roles?.some(role => role === by.role) || people?.some(({ id }) => id === by.id)
  return fits ? undefined : `${words}.`
}

/** Who may answer this call, as a clause: "Only owners can answer this", "Someone other than Ada must approve this". */
export function answererWords({ kind, answerers }: Asked): string | undefined {
  if (answerers === undefined || !isAskedOfPeople(kind)) return undefined
  const { group, others } = groupsOf({ kind, answerers })
  if (group === undefined)
    return others === undefined ? undefined : `Someone other than ${others} must approve this`
  const except = others === undefined ? '' : `, but not ${others}`
  return `Only ${group} can ${kind === 'approval' ? 'approve' : 'answer'} this${except}`
}

/** The same as who is asked: "owners and Ada", "someone other than Bob"; undefined: anybody who may answer at all. */
export function whoIsAsked({ kind, answerers }: Asked): string | undefined {
  if (answerers === undefined || !isAskedOfPeople(kind)) return undefined
  const { group, others } = groupsOf({ kind, answerers })
  if (group === undefined) return others === undefined ? undefined : `someone other than ${others}`
  return others === undefined ? group : `${group}, not ${others}`
}

function groupsOf({ kind, answerers }: { kind: CallKind; answerers: Answerers }) {
  const { roles = [], people = [], askers = [] } = answerers
  const names = (list: readonly Identity[]) => list.map(({ name }) => name)
  return {
    group: listed([...roles.map(role => `${role}s`), ...names(people)], 'and'),
    others: kind === 'approval' ? listed(names(askers), 'or') : undefined
  }
}

function listed(words: readonly string[], and: string): string | undefined {
  const last = words.at(-1)
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${and} ${last}`
}
