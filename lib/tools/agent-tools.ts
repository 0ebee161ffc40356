import type { AgentConfig, RunnableChat } from '@waystation/protocol/agent/agent.ts'
import type { ClientTool } from '@waystation/protocol/session/session.ts'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { SourcedTools } from './registry.ts'
import { resolveTools } from './resolve.ts'
import type { ResolvedTools } from './resolved-tool.ts'

type SessionGeneration = { sessionKey: number; generation: number }

/**
 * Returns all tools that an agent can call in a session. If `queryServers` is false, MCP servers and plugins are not contacted,
 * and known tools are used. `queryMcp` overrides it for MCP servers.
 */
export async function agentTools(
  ctx: Ctx,
  session: SessionGeneration,
  chat: RunnableChat,
  clientTools: readonly ClientTool[],
  how: { queryServers?: boolean; queryMcp?: boolean } = {}
): Promise<ResolvedTools> {
  const sources = await sourcesOf(ctx, session, chat, how)
  return resolveTools(ctx.ports, chat.tools, clientTools, chat.answer, sources)
}

/** Returns the sources that have tools for this agent. Without one, its configuration alone decides its tools. */
export async function sourcesOf(
  ctx: Ctx,
  session: SessionGeneration,
  chat: RunnableChat,
  { queryServers = true, queryMcp = queryServers }: { queryServers?: boolean; queryMcp?: boolean } = {}
): Promise<SourcedTools[]> {
  const sources = await Promise.all(
    ctx.ports.toolSources.map(source => source(ctx, session, chat, { queryServers, queryMcp }))
  )
  return sources.filter(source => source !== undefined)
}

/**
 * Returns the tools of the agent that made a call, as configured then. After a handoff, its pending calls still run
 * with its settings, not with those of the current agent. Undefined if the configuration is no longer available.
 */
export async function toolsOfCall(
  ctx: Ctx,
  session: SessionGeneration,
  toolCallId: string,
  clientTools: readonly ClientTool[],
  how: { queryServers?: boolean } = {}
): Promise<ResolvedTools | undefined> {
  const [row] = await ctx.sql<{ config: AgentConfig }[]>`
    select r.config from calls c join context x on x.session_key = c.session_key and x.id = c.context_id
      join sessions s on s.key = c.session_key
      join agent_revisions r on r.workspace_id = s.workspace_id
        and r.agent_id = coalesce(x.payload ->> 'agentId', s.agent_id) and r.revision = (x.payload -> 'revision')::int
    where c.session_key = ${session.sessionKey} and c.tool_call_id = ${toolCallId}`
  if (row?.config.type !== 'chat') return undefined
  return agentTools(ctx, session, await resolveAgent(ctx, row.config.chat), clientTools, how)
}
