import {
  type EffectiveOobPolicy,
  effectivePolicy
} from '@waystation/protocol/out-of-band/effective-policy.ts'
import {
  type OobDefaults,
  type OobSettings,
  oobSizes
} from '@waystation/protocol/out-of-band/oob-settings.ts'
import type { OwnOobPolicy } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { withAgent } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { oobLevels } from '#lib/sessions/oob-levels.ts'

/**
 * The settings for out-of-band messages to a session. `ttlSeconds` is when messages expire that set no time, or null
 * if never. `pending` has the maximum numbers of pending messages.
 */
export type SessionOobSettings = {
  policy: EffectiveOobPolicy
  ttlSeconds: number | null
  pending: typeof oobSizes.pending
}

type Levels = { session: OwnOobPolicy; agent: OobDefaults | null; workspace: OobSettings }

/** Reads the settings of a session in one statement. The session's own policy cannot change under its lock. */
export async function readOobSettings(ctx: Ctx, sessionKey: number): Promise<SessionOobSettings> {
  const [row] = await ctx.sql<{ levels: Levels }[]>`
    select ${oobLevels(ctx)} as levels
    from sessions s join workspaces w on w.id = s.workspace_id ${withAgent(ctx)} where s.key = ${sessionKey}`
  if (row === undefined) throw new Error(`Session ${sessionKey} is not stored.`)
  const { agent, workspace } = row.levels
  const { ttlSeconds = null }: OobDefaults = { ...workspace, ...agent }
  const pending = { ...oobSizes.pending, ...workspace.pending }
  return { policy: effectivePolicy(row.levels), ttlSeconds, pending }
}
