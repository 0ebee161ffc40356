import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import type { CallAccount, Identity } from '#lib/protocol/call/answerers.ts'
import { type InLife, ownerOfLife } from './owner.ts'
import { type ConnectionRow, connectionColumns } from './row.ts'

/**
 * For whom a connection is looked for: a life of a session, or, outside of any, whoever asks (`caller`). `account`: whose own
 * accounts a call of it may use, null for nobody's.
 */
export type ForWhom = (Pick<InLife, 'sessionKey' | 'generation'> & { account: CallAccount | null }) | 'caller'

/**
 * The connection that a session's agent may use under this name now: the session's own, else its user's, else the
 * workspace's. One that is not active is found only where there is no other, so that whoever asks can say why.
 */
export async function findConnection(
  ctx: Ctx,
  whose: ForWhom,
  asked: { integration: string; slug: string }
): Promise<ConnectionRow | undefined> {
  const session = whose === 'caller' ? '' : ownerOfLife(whose)
  const user = userOf(ctx, whose)
  const [row] = await ctx.sql<ConnectionRow[]>`
    select ${connectionColumns(ctx.sql)} from connections
    where workspace_id = ${ctx.workspaceId} and integration = ${asked.integration} and slug = ${asked.slug} and (
      (sharing = 'session' and owner = ${session}) or (sharing = 'user' and owner = ${user?.id ?? ''})
      or sharing = 'workspace')
    order by state = 'active' desc, case sharing when 'session' then 0 when 'user' then 1 else 2 end limit 1`
  return row
}

const userOf = (ctx: Ctx, whose: ForWhom): Identity | null =>
  whose === 'caller' ? identityOf(ctx.actor) : whose.account
