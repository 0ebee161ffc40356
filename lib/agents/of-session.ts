import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { AgentConfig } from '#lib/protocol/agent.ts'

/** What a session runs on: a configuration of its agent, and which revision that is. */
export type RunningAgent = { revision: number; config: AgentConfig }

/**
 * The revision that a session is pinned to, else its agent's published one, as of now. A column of `sessions s` and
 * `agents a`; null once the agent is gone.
 */
export const runningRevision = ({ sql }: Ctx) => sql`
  case when a.id is null then null else coalesce(s.pinned_revision, a.revision) end`

/** The configuration of that revision, where `agent_revisions r` is the one that the session is pinned to. */
export const runningConfig = ({ sql }: Ctx) => sql`
  case when a.id is null then null when s.pinned_revision is null then a.config else r.config end`

/** `sessions s` with its agent and the revision that it is pinned to. */
export const withAgent = ({ sql }: Ctx) => sql`
  left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id
  left join agent_revisions r
    on r.workspace_id = s.workspace_id and r.agent_id = s.agent_id and r.revision = s.pinned_revision`

/** What a session runs on now; undefined once its agent is gone. */
export async function agentOfSessionIfAny(ctx: Ctx, sessionKey: number): Promise<RunningAgent | undefined> {
  const [row] = await ctx.sql<{ revision: number | null; config: AgentConfig | null }[]>`
    select ${runningRevision(ctx)} as revision, ${runningConfig(ctx)} as config
    from sessions s ${withAgent(ctx)} where s.key = ${sessionKey}`
  if (row === undefined || row.revision === null || row.config === null) return undefined
  return { revision: row.revision, config: row.config }
}

/** The same, where it must be there: `404`. */
export async function agentOfSession(
  ctx: Ctx,
  { sessionKey, agentId }: { sessionKey: number; agentId: string }
): Promise<AgentConfig> {
  const running = await agentOfSessionIfAny(ctx, sessionKey)
  if (running === undefined) throw notFound('agent', agentId)
  return running.config
}
