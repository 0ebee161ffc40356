import { log } from '@waystation/base/log.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { personId } from '#lib/kernel/identity.ts'
import { demand } from '#lib/kernel/scope.ts'
import { memberOf } from './list-members.ts'
import type { InMember } from './member.ts'
import { checkAnotherOwner, lockMembers, revokeInvitesOf } from './owners.ts'

/**
 * Removes a member and ends their sign-ins. An owner can remove any member, and each member can leave. The user's next
 * request is refused, and their open streams end within 5 s. Their messages stay, but their own accounts at other
 * services are deleted. Throws `CONFLICT` for the last owner.
 */
export async function removeMember(ctx: Ctx, { userId }: InMember): Promise<{ userId: string }> {
  const removesSelf = ctx.actor.kind === 'person' && ctx.actor.userId === userId
  demand(ctx.actor, removesSelf ? 'read' : 'own')
  return inTransaction(ctx, async tx => {
    await lockMembers(tx, tx.workspaceId)
    const member = await memberOf(tx, userId)
    if (member.role === 'owner') {
      await checkAnotherOwner(tx, member)
      await revokeInvitesOf(tx, userId)
    }
    await tx.sql`
      delete from connections
      where workspace_id = ${tx.workspaceId} and sharing = 'user' and owner = ${personId(userId)}`
    await tx.sql`
      delete from session_reads r using sessions s
      where s.key = r.session_key and s.workspace_id = ${tx.workspaceId} and r.reader = ${personId(userId)}`
    await tx.sql`delete from members where workspace_id = ${tx.workspaceId} and user_id = ${userId}`
    await tx.sql`delete from sign_ins where user_id = ${userId}`
    const { workspaceId, actor } = tx
    tx.afterCommit(() => log('info', 'a member was removed', { workspaceId, userId, by: actor.name }))
    return { userId }
  })
}
