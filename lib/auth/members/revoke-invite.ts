import { notFound } from '@waystation/base/api-error.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand } from '#lib/kernel/scope.ts'
import type { RevokeInvite } from './member.ts'

/** Revokes an unused invite link. Throws `NOT_FOUND` if there is no valid one with this ID. */
export async function revokeInvite(ctx: Ctx, { inviteId }: RevokeInvite): Promise<{ id: string }> {
  demand(ctx.actor, 'own')
  const [revoked] = await ctx.sql`
    update invites set revoked_at = clock_timestamp()
    where id = ${inviteId} and workspace_id = ${ctx.workspaceId} and not claim
      and used_at is null and revoked_at is null returning id`
  if (revoked === undefined) throw notFound('invite', inviteId)
  return { id: inviteId }
}
