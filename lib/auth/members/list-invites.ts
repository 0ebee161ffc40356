import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand } from '#lib/kernel/scope.ts'
import type { Invite, ListInvites } from './member.ts'

/** The most invites in a list. The newest come first. */
const maxInvites = 200

/** Lists the workspace's valid invite links, newest first. Only owners can call it. */
export async function listInvites(ctx: Ctx, _: ListInvites): Promise<{ invites: Invite[] }> {
  demand(ctx.actor, 'own')
  const invites = await ctx.sql<Invite[]>`
    select id, role, created_by, created_at, expires_at from invites
    where workspace_id = ${ctx.workspaceId} and not claim
      and used_at is null and revoked_at is null and expires_at > clock_timestamp()
    order by created_at desc, id limit ${maxInvites}`
  return { invites }
}
