import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AgentConfig, RunnableChat } from '#lib/protocol/agent/agent.ts'
import type { ClientTool } from '#lib/protocol/session/session.ts'
import { type ResolvedTools, resolveTools } from './resolve.ts'

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
  const { ports } = ctx
  const sources = await Promise.all(
    ports.toolSources.map(source => source(ctx, life, chat, { asks, asksMcp }))
  )
  return resolveTools(
    ports,
    chat.tools,
    clientTools,
    chat.answer,
    sources.filter(source => source !== undefined)
  )
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
