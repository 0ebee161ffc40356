import type { OobDefaults } from '@waystation/protocol/out-of-band/oob-defaults.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { runningConfig, withAgent } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the seconds after which an out-of-band message to this session expires, or null if it never does
 * (the default). The message's own `ttlSeconds` takes precedence, then the speaking agent's default, then the
 * workspace's.
 */
export async function oobTtl(tx: Ctx, { sessionKey }: LockedSession, own: OobDefaults['ttlSeconds']) {
  if (own !== undefined) return own
  const [defaults] = await tx.sql<{ agent: OobDefaults | null; workspace: OobDefaults }[]>`
    select ${runningConfig(tx)} -> 'outOfBand' as agent, w.out_of_band as workspace
    from sessions s join workspaces w on w.id = s.workspace_id ${withAgent(tx)} where s.key = ${sessionKey}`
  const { ttlSeconds = null }: OobDefaults = { ...defaults?.workspace, ...defaults?.agent }
  return ttlSeconds
}
