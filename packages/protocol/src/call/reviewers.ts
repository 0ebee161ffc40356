import type { AnswerPolicy } from './answer-policy.ts'

/** The roles that can change agents, and so approve an agent's proposal for itself. */
const editors = ['owner', 'editor'] as const

/**
 * Returns the policy for an agent's proposal to change itself, edited or not. If the tool's policy (`own`) names people
 * or roles, it applies. Otherwise editors and owners can approve. The agent's policy (`agents`) can only restrict them
 * further.
 */
export function reviewersOf(own: AnswerPolicy | undefined, agents: AnswerPolicy | undefined): AnswerPolicy {
  if (own?.roles !== undefined || own?.people !== undefined) return own
  if (own !== undefined) return { ...own, roles: [...editors] }
  const allowed = editors.filter(role => agents?.roles?.includes(role))
  return {
    roles: allowed.length > 0 ? allowed : [...editors],
    ...(agents?.notAsker === undefined ? {} : { notAsker: agents.notAsker })
  }
}
