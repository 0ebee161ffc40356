import { ApiError } from '@waystation/base/api-error.ts'
import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/**
 * Serializes changes to a workspace's members. Take this lock before any other, so that two owners cannot both leave
 * because each sees the other. Needs a transaction.
 */
export async function lockMembers({ sql }: Ctx, workspaceId: string): Promise<void> {
  await sql`select from workspaces where id = ${workspaceId} for no key update`
}

/** Returns the IDs of the owners who can sign in. The local owner can only sign in in local mode. */
export async function ownersOf({ sql }: Ctx, workspaceId: string): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    select user_id from members where workspace_id = ${workspaceId} and role = 'owner'`
  return rows.map(({ userId }) => userId).filter(userId => userId !== localOwner.id || runtime().env.local)
}

/**
 * Throws `CONFLICT` if the workspace would be left without an owner who can sign in. Needs the lock of `lockMembers`.
 */
export async function checkAnotherOwner(
  tx: Ctx,
  { userId, name }: { userId: string; name: string }
): Promise<void> {
  const owners = await ownersOf(tx, tx.workspaceId)
  if (owners.every(owner => owner === userId))
    throw new ApiError(
      'CONFLICT',
      `${name} is the only owner of this workspace. Make another member an owner first.`
    )
}

/** Revokes the open invites of a former owner, so that they cannot use one to rejoin. */
export async function revokeInvitesOf({ sql, workspaceId }: Ctx, userId: string): Promise<void> {
  await sql`
    update invites set revoked_at = clock_timestamp()
    where workspace_id = ${workspaceId} and creator_id = ${userId} and used_at is null and revoked_at is null`
}
