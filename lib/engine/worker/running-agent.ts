import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { AgentConfig, AgentOverlay } from '#lib/protocol/agent/agent.ts'

/**
 * What a session runs on: a configuration of its agent, which revision that is, and what its turns lay over a copy of it
 * (`laidOver`). `overlayMark` is another one for another overlay.
 */
export type RunningAgent<Config = AgentConfig> = {
  revision: number
  config: Config
  overlay: AgentOverlay | null
  overlayMark: string | null
}

/** The agent that speaks in `sessions s`: the one that it was handed to (003-11), else its own. */
export const speakingAgent = ({ sql }: Ctx) => sql`coalesce(s.handed_to, s.agent_id)`

/**
 * The revision that a session is pinned to, else its agent's published one, as of now; of another agent that speaks in it, that
 * one's published one. A column of `sessions s` and `agents a`; null once the agent is gone.
 */
export const runningRevision = ({ sql }: Ctx) => sql`
  case when a.id is null then null when s.handed_to is null then coalesce(s.pinned_revision, a.revision) else a.revision end`

/** The configuration of that revision, where `agent_revisions r` is the one that the session is pinned to. */
export const runningConfig = ({ sql }: Ctx) => sql`
  case when a.id is null then null when s.pinned_revision is null or s.handed_to is not null then a.config else r.config end`

/** What is laid over the agent that speaks in `sessions s`: nothing over another than its own. */
export const overlayOf = ({ sql }: Ctx) => sql`case when s.handed_to is null then s.overlay end`

/** What is the same as long as that is; null: there is none. */
export const overlayMark = (ctx: Ctx) => ctx.sql`md5((${overlayOf(ctx)})::text)`

/** `sessions s` with the agent that speaks in it, and the revision that it is pinned to. */
export const withAgent = (ctx: Ctx) => ctx.sql`
  left join agents a on a.workspace_id = s.workspace_id and a.id = ${speakingAgent(ctx)}
  left join agent_revisions r on r.workspace_id = s.workspace_id and r.agent_id = s.agent_id
    and r.revision = s.pinned_revision and s.handed_to is null`

/** What a session runs on now; undefined once its agent is gone. */
export async function agentOfSessionIfAny(ctx: Ctx, sessionKey: number): Promise<RunningAgent | undefined> {
  const [row] = await ctx.sql<(Pick<RunningAgent, 'overlay' | 'overlayMark'> & Found)[]>`
    select ${runningRevision(ctx)} as revision, ${runningConfig(ctx)} as config, ${overlayOf(ctx)} as overlay,
      ${overlayMark(ctx)} as overlay_mark
    from sessions s ${withAgent(ctx)} where s.key = ${sessionKey}`
  if (row === undefined || row.revision === null || row.config === null) return undefined
  return { ...row, revision: row.revision, config: row.config }
}

type Found = { revision: number | null; config: AgentConfig | null }

/** The same, where it must be there: `404`. */
export async function agentOfSession(
  ctx: Ctx,
  { sessionKey, agentId }: { sessionKey: number; agentId: string }
): Promise<AgentConfig> {
  const running = await agentOfSessionIfAny(ctx, sessionKey)
  if (running === undefined) throw notFound('agent', agentId)
  return running.config
}
