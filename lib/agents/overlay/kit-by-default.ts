import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns a function that tells if a session has the build kit when an owner or editor starts it in the playground: the
 * agent's setting, or else the workspace's (002-8).
 */
export async function kitByDefault(ctx: Ctx): Promise<(agent: AgentConfig) => boolean> {
  const [workspace] = await ctx.sql<{ buildKit: boolean }[]>`
    select build_kit from workspaces where id = ${ctx.workspaceId}`
  const ofWorkspace = workspace?.buildKit ?? false
  return agent =>
    agent.type === 'chat' && (agent.chat.buildKit === undefined ? ofWorkspace : agent.chat.buildKit === 'on')
}
