import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AgentInContext, InAgent } from '#lib/protocol/agent/agent.ts'
import { agentFor } from './agent-for.ts'
import { buildKit } from './overlay/build-kit.ts'
import { shownTo } from './shown-to.ts'

/** An agent as it is configured now; a chat agent with the build kit beside it, which is never a part of it (002-8). */
export async function getAgent(ctx: Ctx, { agentId }: InAgent): Promise<AgentInContext> {
  const stored = await agentFor(ctx, agentId)
  const agent = shownTo(ctx, stored, [stored])
  return agent.type === 'chat' ? { ...agent, additional_context: buildKit() } : agent
}
