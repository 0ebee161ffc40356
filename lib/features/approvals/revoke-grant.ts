import { notFound } from '@waystation/base/api-error.ts'
import type { InGrant, InSessionGrant, Revoked } from '@waystation/protocol/call/grant.ts'
import { inTransaction } from '#db/transaction.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { recordGrant } from './audit-grant.ts'

/** Revokes an approval for the whole workspace. From the next step on, its calls need approval again. */
export const revokeGrant = (ctx: Ctx, { grantId }: InGrant): Promise<Revoked> =>
  inTransaction(ctx, tx => revoke(tx, grantId))

/** Revokes an approval for one session. */
export const revokeSessionGrant = (ctx: Ctx, { sessionId, grantId }: InSessionGrant): Promise<Revoked> =>
  inTransaction(ctx, async tx => revoke(tx, grantId, await lockSession(tx, sessionId)))

async function revoke(tx: Ctx, grantId: string, session?: LockedSession): Promise<Revoked> {
  const { sql, workspaceId } = tx
  const scope = session === undefined ? sql`session_key is null` : sql`session_key = ${session.sessionKey}`
  const [grant] = await sql<{ sessionId: string; messageId: string; toolCallId: string; toolName: string }[]>`
    delete from grants where id = ${grantId} and workspace_id = ${workspaceId} and ${scope}
    returning session_id, message_id, tool_call_id, tool_name`
  if (grant === undefined) throw notFound('grant', grantId)
  const by = { actor: tx.actor.name, credential: `grant ${grantId}` }
  await recordGrant(tx, { ...grant, workspaceId }, { ...by, action: 'grant.revoked' })
  return { grantId }
}
