import type { Ctx } from '#lib/kernel/ctx.ts'
import { type InLife, ownerOfLife, principalOf } from './owner.ts'
import { type ConnectionRow, connectionColumns } from './row.ts'

/**
 * The connection that a session's agent may use under this name now: the session's own, else its user's, else the
 * workspace's. One that is not active is found only where there is no other, so that whoever asks can say why.
 */
export async function findConnection(
  ctx: Ctx,
  life: Pick<InLife, 'sessionKey' | 'generation'>,
  asked: { integration: string; slug: string }
): Promise<ConnectionRow | undefined> {
  const principal = await principalOf(ctx, life.sessionKey)
  const [row] = await ctx.sql<ConnectionRow[]>`
    select ${connectionColumns(ctx.sql)} from connections
    where workspace_id = ${ctx.workspaceId} and integration = ${asked.integration} and slug = ${asked.slug} and (
      (sharing = 'session' and owner = ${ownerOfLife(life)}) or (sharing = 'user' and owner = ${principal?.id ?? ''})
      or sharing = 'workspace')
    order by state = 'active' desc, case sharing when 'session' then 0 when 'user' then 1 else 2 end limit 1`
  return row
}
