import type { AgentInContext, InAgent } from '@waystation/protocol/agent/agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { agentFor } from './agent-for.ts'
import { buildKit } from './overlay/build-kit.ts'
import { redactUrlsFor } from './redact-urls-for.ts'

/**
 * Returns an agent's published configuration. For a chat agent it adds the build kit, which is never part of the agent
 * (002-8).
 */
export async function getAgent(ctx: Ctx, { agentId }: InAgent): Promise<AgentInContext> {
  const stored = await agentFor(ctx, agentId)
  const agent = redactUrlsFor(ctx, stored, [stored])
  return agent.type === 'chat' ? { ...agent, additional_context: buildKit() } : agent
}
