import { inTransaction } from '#db/transaction.ts'
import { mergeLocalOwner } from '#lib/auth/sign-in/merge-local-owner.ts'
import type { Ctx, Role } from '#lib/kernel/ctx.ts'
import { log } from '#lib/kernel/log.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { findInvitation, type Invitation } from './invitation.ts'
import { lockMembers, ownersOf } from './owners.ts'

/** What a link says to whoever opens it; `member`: the role that they have there already. */
export type Offer = Invitation & { member?: Role }

const door = () => ctxFor({ kind: 'system', name: 'join', workspaceId: '' })

/** What a link offers this person, or anybody (null). Looking uses nothing up. Undefined: no link has that token. */
export async function offerOf(token: string, userId: string | null): Promise<Offer | undefined> {
  const invitation = await findInvitation(door(), token)
  if (invitation === undefined || userId === null) return invitation
  return withMember(invitation, await roleIn(door(), invitation.workspaceId, userId))
}

/**
 * Makes this person a member by their link, which is used up with it. Of several at once one gets in. Who is a member
 * already stays what they are and uses nothing up; only a claim link still makes them the first owner, who takes over what
 * the local owner had. Answers the offer as it was found: `over` or `member` says why nothing was done.
 */
export async function join(token: string, userId: string): Promise<Offer | undefined> {
  const found = await findInvitation(door(), token)
  if (found === undefined) return undefined
  return inTransaction({ ...door(), workspaceId: found.workspaceId }, async tx => {
    const { sql, workspaceId } = tx
    await lockMembers(tx, workspaceId)
    await sql`select from invites where id = ${found.id} for update`
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
    await sql`update invites set used_at = clock_timestamp(), used_by = ${userId} where id = ${found.id}`
    if (isFirst) await mergeLocalOwner(tx, userId)
    tx.afterCommit(() => log('info', 'a member joined', { workspaceId, userId, role, invite: found.id }))
    return invitation
  })
}

async function roleIn({ sql }: Ctx, workspaceId: string, userId: string): Promise<Role | undefined> {
  const [member] = await sql<{ role: Role }[]>`
    select role from members where workspace_id = ${workspaceId} and user_id = ${userId}`
  return member?.role
}

const withMember = (invitation: Invitation, member: Role | undefined): Offer =>
  member === undefined ? invitation : { ...invitation, member }
