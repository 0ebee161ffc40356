import type { CallAccount, Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { ownerOfGeneration, type SessionGeneration } from './owner.ts'
import { type ConnectionRow, connectionColumns } from './row.ts'

/**
 * The requester of a connection: a session in its current generation, or the caller outside of a session.
 * `account` is the user whose own accounts the call may use, or null.
 */
export type ConnectionRequester =
  | (Pick<SessionGeneration, 'sessionKey' | 'generation'> & { account: CallAccount | null })
  | 'caller'

/**
 * Finds the connection that a session's agent can use under this name. The session's own takes precedence,
 * then its user's, then the workspace's. Active connections come first; an inactive one is returned only so
 * that the caller can explain what is wrong.
 */
export async function findConnection(
  ctx: Ctx,
  requester: ConnectionRequester,
  target: { integration: string; slug: string }
): Promise<ConnectionRow | undefined> {
  const sessionOwner = requester === 'caller' ? '' : ownerOfGeneration(requester)
  const user = userOf(ctx, requester)
  const [row] = await ctx.sql<ConnectionRow[]>`
    select ${connectionColumns(ctx.sql)} from connections
    where workspace_id = ${ctx.workspaceId} and integration = ${target.integration} and slug = ${target.slug} and (
      (sharing = 'session' and owner = ${sessionOwner}) or (sharing = 'user' and owner = ${user?.id ?? ''})
      or sharing = 'workspace')
    order by state = 'active' desc, case sharing when 'session' then 0 when 'user' then 1 else 2 end limit 1`
  return row
}

const userOf = (ctx: Ctx, requester: ConnectionRequester): Identity | null =>
  requester === 'caller' ? identityOf(ctx.actor) : requester.account
