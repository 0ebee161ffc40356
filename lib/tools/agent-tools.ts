import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import { listMcp } from '#lib/features/connections/mcp/list-mcp.ts'
import { handOffTargets } from '#lib/features/delegation/hand-off-targets.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { HostedPlugin } from '#lib/kernel/ports/plugin-host.ts'
import type { AgentConfig, RunnableChat } from '#lib/protocol/agent/agent.ts'
import type { ClientTool } from '#lib/protocol/session/session.ts'
import { type ResolvedTools, resolveTools } from '#lib/tools/resolve.ts'
import { toolsOff } from '#lib/tools/tools-off.ts'

type Life = { sessionKey: number; generation: number }

/**
 * All that an agent can call in a session. `asks`: whether MCP servers and plugins are asked for theirs, or what is known of them
 * will do; `asksMcp`: the same of MCP servers alone.
 */
export async function agentTools(
  ctx: Ctx,
  life: Life,
  chat: RunnableChat,
  clientTools: readonly ClientTool[],
  { asks = true, asksMcp = asks }: { asks?: boolean; asksMcp?: boolean } = {}
): Promise<ResolvedTools> {
  const [mcp, plugins, targets] = await Promise.all([
    listMcp(ctx, life, chat.tools, { asks: asksMcp }),
    pluginsFor(ctx, chat.tools, { asks }),
    handOffTargets(ctx, chat)
  ])
  return resolveTools(chat.tools, clientTools, chat.answer, {
    mcp,
    plugins,
    handOffs: targets,
    off: toolsOff(ctx.ports),
    sampleTools: ctx.ports.sampleTools
  })
}

/** How long a turn waits for plugins that are starting, in milliseconds. */
const patience = 3000

/** The plugins of the workspace, for an agent that names any. One that is not there (any more) is known by what it had. */
async function pluginsFor(ctx: Ctx, tools: RunnableChat['tools'], { asks }: { asks: boolean }) {
  if (!tools.some(tool => 'plugin' in tool)) return []
  return asks ? hostedFor(ctx) : (ctx.ports.plugins?.of(ctx.workspaceId) ?? [])
}

/** The plugins of the workspace, once those that are starting had their time to say what they have. */
export async function hostedFor(ctx: Ctx): Promise<readonly HostedPlugin[]> {
  const host = ctx.ports.plugins
  if (host === undefined) return []
  await host.settled(ctx.workspaceId, patience)
  return host.of(ctx.workspaceId)
}

/**
 * The tools of the agent that made a call, as it was configured then: once its session is handed over, what it left to be run
 * runs with its settings and not with those of whoever speaks now. Undefined where nobody knows them any more.
 */
export async function toolsOfCall(
  ctx: Ctx,
  life: Life,
  toolCallId: string,
  clientTools: readonly ClientTool[]
): Promise<ResolvedTools | undefined> {
  const [row] = await ctx.sql<{ config: AgentConfig }[]>`
    select r.config from calls c join context x on x.session_key = c.session_key and x.id = c.context_id
      join sessions s on s.key = c.session_key
      join agent_revisions r on r.workspace_id = s.workspace_id
        and r.agent_id = coalesce(x.payload ->> 'agentId', s.agent_id) and r.revision = (x.payload -> 'revision')::int
    where c.session_key = ${life.sessionKey} and c.tool_call_id = ${toolCallId}`
  if (row?.config.type !== 'chat') return undefined
  return agentTools(ctx, life, await resolveAgent(ctx, row.config.chat), clientTools)
}
