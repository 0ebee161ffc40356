import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { AgentConfig, AgentOverlay } from '#lib/protocol/agent.ts'

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

/**
 * The revision that a session is pinned to, else its agent's published one, as of now. A column of `sessions s` and
 * `agents a`; null once the agent is gone.
 */
export const runningRevision = ({ sql }: Ctx) => sql`
  case when a.id is null then null else coalesce(s.pinned_revision, a.revision) end`

/** The configuration of that revision, where `agent_revisions r` is the one that the session is pinned to. */
export const runningConfig = ({ sql }: Ctx) => sql`
  case when a.id is null then null when s.pinned_revision is null then a.config else r.config end`

/** What is the same as long as the overlay of `sessions s` is; null: it has none. */
export const overlayMark = ({ sql }: Ctx) => sql`md5(s.overlay::text)`

/** `sessions s` with its agent and the revision that it is pinned to. */
export const withAgent = ({ sql }: Ctx) => sql`
  left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id
  left join agent_revisions r
    on r.workspace_id = s.workspace_id and r.agent_id = s.agent_id and r.revision = s.pinned_revision`

/** What a session runs on now; undefined once its agent is gone. */
export async function agentOfSessionIfAny(ctx: Ctx, sessionKey: number): Promise<RunningAgent | undefined> {
  const [row] = await ctx.sql<(Pick<RunningAgent, 'overlay' | 'overlayMark'> & Found)[]>`
    select ${runningRevision(ctx)} as revision, ${runningConfig(ctx)} as config, s.overlay,
      ${overlayMark(ctx)} as "overlayMark"
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
