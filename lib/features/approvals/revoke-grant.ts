import { inTransaction } from '#db/transaction.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { InGrant, InSessionGrant, Revoked } from '#lib/protocol/call/grant.ts'
import { recordGrant } from './audit-grant.ts'

/** Takes an approval back that held in the whole workspace: from the next step on, its calls are asked about again. */
export const revokeGrant = (ctx: Ctx, { grantId }: InGrant): Promise<Revoked> =>
  inTransaction(ctx, tx => revoke(tx, grantId))

/** The same, of one that held in this session. */
export const revokeSessionGrant = (ctx: Ctx, { sessionId, grantId }: InSessionGrant): Promise<Revoked> =>
  inTransaction(ctx, async tx => revoke(tx, grantId, await lockSession(tx, sessionId)))

async function revoke(tx: Ctx, grantId: string, head?: LockedSession): Promise<Revoked> {
  const { sql, workspaceId } = tx
  const of = head === undefined ? sql`session_key is null` : sql`session_key = ${head.sessionKey}`
  const [gone] = await sql<{ sessionId: string; messageId: string; toolCallId: string; toolName: string }[]>`
    delete from grants where id = ${grantId} and workspace_id = ${workspaceId} and ${of}
    returning session_id, message_id, tool_call_id, tool_name`
  if (gone === undefined) throw notFound('grant', grantId)
  const by = { actor: tx.actor.name, credential: `grant ${grantId}` }
  await recordGrant(tx, { ...gone, workspaceId }, { ...by, action: 'grant.revoked' })
  return { grantId }
}
