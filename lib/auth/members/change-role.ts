import { log } from '@waystation/base/log.ts'
import { inTransaction } from '#db/transaction.ts'
import { mergeLocalOwner } from '#lib/auth/sign-in/merge-local-owner.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand } from '#lib/kernel/scope.ts'
import { memberOf } from './list-members.ts'
import type { ChangeRole, Member } from './member.ts'
import { checkAnotherOwner, lockMembers, revokeInvitesOf } from './owners.ts'

/**
 * Changes a member's role, which applies to their next request. Throws `CONFLICT` if the last owner would lose that
 * role.
 */
export async function changeRole(ctx: Ctx, { userId, role }: ChangeRole): Promise<Member> {
  demand(ctx.actor, 'own')
  return inTransaction(ctx, async tx => {
    await lockMembers(tx, tx.workspaceId)
    const member = await memberOf(tx, userId)
    if (member.role === role) return member
    if (member.role === 'owner') {
      await checkAnotherOwner(tx, member)
      await revokeInvitesOf(tx, userId)
    }
    await tx.sql`
      update members set role = ${role} where workspace_id = ${tx.workspaceId} and user_id = ${userId}`
    if (role === 'owner') await mergeLocalOwner(tx, userId)
    const { workspaceId, actor } = tx
    tx.afterCommit(() => log('info', 'a role was changed', { workspaceId, userId, role, by: actor.name }))
    return { ...member, role }
  })
}
