import type { AnswerPolicy } from './answerers.ts'

/** Who may change agents, and so approve what one of them proposes for itself. */
const editors = ['owner', 'editor'] as const

/**
 * Who approves what an agent proposes for itself, edited or not: whom its tool names (`own`), else those who may change agents.
 * What the agent asks of others (`agents`) makes them fewer, and never more.
 */
export function reviewersOf(own: AnswerPolicy | undefined, agents: AnswerPolicy | undefined): AnswerPolicy {
  if (own?.roles !== undefined || own?.people !== undefined) return own
  if (own !== undefined) return { ...own, roles: [...editors] }
  const some = editors.filter(role => agents?.roles?.includes(role))
  return {
    roles: some.length > 0 ? some : [...editors],
    ...(agents?.notAsker === undefined ? {} : { notAsker: agents.notAsker })
  }
}
