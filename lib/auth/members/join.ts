import { log } from '@waystation/base/log.ts'
import { inTransaction } from '#db/transaction.ts'
import { mergeLocalOwner } from '#lib/auth/sign-in/merge-local-owner.ts'
import { adoptWorkspaces } from '#lib/auth/workspaces/adopt-workspaces.ts'
import type { Ctx, Role } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { findInvitation, type Invitation } from './invitation.ts'
import { lockMembers, ownersOf } from './owners.ts'

/** An invitation as a user sees it. `member` is the role that they already have in the workspace. */
export type InvitationForUser = Invitation & { member?: Role }

const joinContext = () => ctxFor({ kind: 'system', name: 'join', workspaceId: '' })

/**
 * Returns the invitation of a token for this user, or for a visitor who is not signed in (null). It does not use the
 * link. Undefined means that no link has this token.
 */
export async function getInvitation(
  token: string,
  userId: string | null
): Promise<InvitationForUser | undefined> {
  const invitation = await findInvitation(joinContext(), token)
  if (invitation === undefined || userId === null) return invitation
  return withMember(invitation, await roleIn(joinContext(), invitation.workspaceId, userId))
}

/**
 * Adds a user to a workspace and uses their link. If several users use it at once, only one joins. Existing members
 * keep their role and use nothing. The exception is a claim link, which makes a member the first owner and transfers
 * what the local owner had. Returns the invitation as it was before. If nothing changed, `over` or `member` gives the
 * reason.
 */
export async function join(token: string, userId: string): Promise<InvitationForUser | undefined> {
  const unlocked = await findInvitation(joinContext(), token)
  if (unlocked === undefined) return undefined
  return inTransaction({ ...joinContext(), workspaceId: unlocked.workspaceId }, async tx => {
    const { sql, workspaceId } = tx
    await lockMembers(tx, workspaceId)
    await sql`select from invites where id = ${unlocked.id} for update`
    const invitation = await findInvitation(tx, token)
    if (invitation === undefined) return undefined
    const member = await roleIn(tx, workspaceId, userId)
    const { role, claim, over } = invitation
    if (over !== undefined || (member !== undefined && !claim)) return withMember(invitation, member)
    const isFirst = role === 'owner' && (await ownersOf(tx, workspaceId)).length === 0
    await sql`
      insert into members (workspace_id, user_id, role, created_at)
      values (${workspaceId}, ${userId}, ${role}, clock_timestamp())
      on conflict (workspace_id, user_id) do update set role = excluded.role`
    await sql`update invites set used_at = clock_timestamp(), used_by = ${userId} where id = ${unlocked.id}`
    if (isFirst) await mergeLocalOwner(tx, userId)
    if (claim) await adoptWorkspaces(tx)
    tx.afterCommit(() => log('info', 'a member joined', { workspaceId, userId, role, invite: unlocked.id }))
    return invitation
  })
}

async function roleIn({ sql }: Ctx, workspaceId: string, userId: string): Promise<Role | undefined> {
  const [member] = await sql<{ role: Role }[]>`
    select role from members where workspace_id = ${workspaceId} and user_id = ${userId}`
  return member?.role
}

const withMember = (invitation: Invitation, member: Role | undefined): InvitationForUser =>
  member === undefined ? invitation : { ...invitation, member }
