import { z } from 'zod'

/** The roles that can answer requests. Viewers never can. */
export const AnswerRole = z.enum(['owner', 'editor', 'operator'])
export type AnswerRole = z.infer<typeof AnswerRole>

/**
 * Restricts who can answer requests of an agent or of one of its tools. Without a policy, all roles that can answer,
 * session tokens with that scope and answer links are accepted.
 * - `roles`, `people` (user IDs): the user needs one of these roles or must be one of these people. API keys have a
 *   role, but are not people.
 * - `notAsker`: a user whose message led to the call cannot approve or decline it.
 * - `links`: session tokens and answer links are accepted. The users behind them are unknown, so the default is false
 *   if any other field is set.
 */
export const AnswerPolicy = z.strictObject({
  roles: z.array(AnswerRole).min(1).max(3).optional(),
  people: z.array(z.string().min(1).max(255)).min(1).max(50).optional(),
  notAsker: z.boolean().optional(),
  links: z.boolean().optional()
})
export type AnswerPolicy = z.infer<typeof AnswerPolicy>

/** A caller: an ID that includes the kind of caller (`person:…`, `key:…`, `subject:…`), and a name. */
export const Identity = z.object({ id: z.string(), name: z.string() })
export type Identity = z.infer<typeof Identity>

/**
 * The person or end user whose own accounts a call can use, fixed when the call opens. `others` are the names of all
 * other people whose messages the agent has received. If there are any, the owner must approve the call before it uses
 * one of their accounts.
 */
export const AccountOf = Identity.extend({ others: z.array(z.string()).optional() })
export type AccountOf = z.infer<typeof AccountOf>

/** `approved` is true if the owner was asked about this call and approved it. */
export type CallAccount = AccountOf & { approved: boolean }

/** The answer policy of one call as it was when the call opened, with names. `askers` cannot approve the call. */
export const Answerers = z.object({
  roles: z.array(AnswerRole).optional(),
  people: z.array(Identity).optional(),
  askers: z.array(Identity).optional(),
  links: z.boolean()
})
export type Answerers = z.infer<typeof Answerers>
