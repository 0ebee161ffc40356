import { hashOfKey } from '#lib/auth/keys/key-secret.ts'
import type { Ctx, Role } from '#lib/kernel/ctx.ts'
import { ownersOf } from './owners.ts'

/** An invite link. `over` is set once the link was used, was revoked or has expired. */
export type Invitation = {
  id: string
  workspaceId: string
  workspaceName: string
  role: Role
  claim: boolean
  createdBy: string
  over?: 'used' | 'revoked' | 'expired'
}

type Row = Omit<Invitation, 'over'> & { used: boolean; revoked: boolean; expired: boolean }

/**
 * Finds the invitation of a link's token, or returns undefined. A claim link is `used` as soon as its workspace has an
 * owner, even if that owner joined in another way.
 */
export async function findInvitation(ctx: Ctx, token: string): Promise<Invitation | undefined> {
  const [row] = await ctx.sql<Row[]>`
    select i.id, i.workspace_id, w.name as workspace_name, i.role, i.claim,
      i.created_by, i.used_at is not null as used, i.revoked_at is not null as revoked,
      coalesce(i.expires_at <= clock_timestamp(), false) as expired
    from invites i join workspaces w on w.id = i.workspace_id where i.hash = ${hashOfKey(token)}`
  if (row === undefined) return undefined
  const { used, revoked, expired, ...invitation } = row
  const isClaimed = invitation.claim && (await ownersOf(ctx, invitation.workspaceId)).length > 0
  if (used || isClaimed) return { ...invitation, over: 'used' }
  if (revoked) return { ...invitation, over: 'revoked' }
  return expired ? { ...invitation, over: 'expired' } : invitation
}
