import { notFound } from '@waystation/base/api-error.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { covers, demand } from '#lib/kernel/scope.ts'
import type { ListMembers, Member } from './member.ts'

type Row = Pick<Member, 'userId' | 'name' | 'role' | 'joinedAt'> & { provider: string | null; label: string }

/** Lists the workspace's members, longest membership first. Only owners see each member's sign-in account. */
export async function listMembers(ctx: Ctx, _: ListMembers): Promise<{ members: Member[] }> {
  demand(ctx.actor, 'read')
  return { members: await membersOf(ctx) }
}

/** Returns one member. Throws `NOT_FOUND` if there is none with this ID. */
export async function memberOf(ctx: Ctx, userId: string): Promise<Member> {
  const [member] = await membersOf(ctx, userId)
  if (member === undefined) throw notFound('member', userId)
  return member
}

async function membersOf(ctx: Ctx, userId: string | null = null): Promise<Member[]> {
  const rows = await ctx.sql<Row[]>`
    select m.user_id, u.name, m.role, m.created_at as joined_at, i.provider, i.label
    from members m join users u on u.id = m.user_id
    left join lateral (
      select provider, label from identities where user_id = m.user_id order by seen_at desc limit 1) i on true
    where m.workspace_id = ${ctx.workspaceId} and (${userId}::text is null or m.user_id = ${userId})
    order by m.created_at, m.user_id`
  const isOwner = covers(ctx.actor, 'own')
  return rows.map(({ provider, label, ...member }) => ({
    ...member,
    ...(isOwner && provider !== null ? { account: { provider, label } } : {})
  }))
}
