import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/**
 * Who belongs to a workspace, and as what, is changed by one transaction at a time: this lock comes before any other, so
 * that two owners cannot each take the other for the one who stays.
 */
export async function lockMembers({ sql }: Ctx, workspaceId: string): Promise<void> {
  await sql`select from workspaces where id = ${workspaceId} for no key update`
}

/** The owners who can sign in. The local owner can in local mode only. */
export async function ownersOf({ sql }: Ctx, workspaceId: string): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    select user_id from members where workspace_id = ${workspaceId} and role = 'owner'`
  return rows.map(({ userId }) => userId).filter(userId => userId !== localOwner.id || runtime().env.local)
}

/** Refuses to leave a workspace without an owner who can sign in. Under the lock. */
export async function demandAnotherOwner(
  tx: Ctx,
  { userId, name }: { userId: string; name: string }
): Promise<void> {
  const owners = await ownersOf(tx, tx.workspaceId)
  if (owners.every(owner => owner === userId))
    throw new Refusal(
      'CONFLICT',
      `${name} is the only owner of this workspace. Make another member an owner first.`
    )
}

/** An owner who is one no more leaves no link behind by which they could come back. */
export async function revokeInvitesOf({ sql, workspaceId }: Ctx, userId: string): Promise<void> {
  await sql`
    update invites set revoked_at = clock_timestamp()
    where workspace_id = ${workspaceId} and creator_id = ${userId} and used_at is null and revoked_at is null`
}
