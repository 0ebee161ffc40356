import type { AgentConfig, AgentOverlay } from '@waystation/protocol/agent/agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * The agent that a session runs on: the configuration, its revision, and the session's overlay on it
 * (`applyOverlay`). `overlayMark` differs for each overlay.
 */
export type RunningAgent<Config = AgentConfig> = {
  revision: number
  config: Config
  overlay: AgentOverlay | null
  overlayMark: string | null
}

/**
 * Returns the ID of the agent whose turns run in `sessions s`: the target of a handoff (003-11), or else the
 * session's own agent. While the session is handed to an external agent, the session's own agent runs the calls that
 * are approved meanwhile.
 */
export const speakingAgent = ({ sql }: Ctx) =>
  sql`case when s.external then s.agent_id else coalesce(s.handed_to, s.agent_id) end`

/**
 * Returns a column of `sessions s` and `agents a`: the revision that the session is pinned to, or else the
 * published one. After a handoff, it is the published revision of the agent that speaks. Null if the agent
 * was deleted.
 */
export const runningRevision = ({ sql }: Ctx) => sql`
  case when a.id is null then null when s.handed_to is null then coalesce(s.pinned_revision, a.revision) else a.revision end`

/**
 * Returns the configuration of that revision, as a column. `agent_revisions r` is the revision that the
 * session is pinned to.
 */
export const runningConfig = ({ sql }: Ctx) => sql`
  case when a.id is null then null when s.pinned_revision is null or s.handed_to is not null then a.config else r.config end`

/** Returns the session's overlay, as a column of `sessions s`. It applies only to the session's own agent. */
export const overlayOf = ({ sql }: Ctx) => sql`case when s.handed_to is null then s.overlay end`

/** Returns a hash of the overlay, as a column; null if there is no overlay. */
export const overlayMark = (ctx: Ctx) => ctx.sql`md5((${overlayOf(ctx)})::text)`

/** Returns the joins that add the agent that speaks, and the pinned revision, to `sessions s`. */
export const withAgent = (ctx: Ctx) => ctx.sql`
  left join agents a on a.workspace_id = s.workspace_id and a.id = ${speakingAgent(ctx)}
  left join agent_revisions r on r.workspace_id = s.workspace_id and r.agent_id = s.agent_id
    and r.revision = s.pinned_revision and s.handed_to is null`

/** Returns the agent whose turns run in a session now; undefined if the agent was deleted. */
export async function agentOfSessionIfAny(ctx: Ctx, sessionKey: number): Promise<RunningAgent | undefined> {
  const [row] = await ctx.sql<(Pick<RunningAgent, 'overlay' | 'overlayMark'> & AgentColumns)[]>`
    select ${runningRevision(ctx)} as revision, ${runningConfig(ctx)} as config, ${overlayOf(ctx)} as overlay,
      ${overlayMark(ctx)} as overlay_mark
    from sessions s ${withAgent(ctx)} where s.key = ${sessionKey}`
  if (row === undefined || row.revision === null || row.config === null) return undefined
  return { ...row, revision: row.revision, config: row.config }
}

type AgentColumns = { revision: number | null; config: AgentConfig | null }
