import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand } from '#lib/kernel/scope.ts'
import type { Invite, ListInvites } from './member.ts'

/** How many are told, the newest. */
const most = 200

/** The invite links of this workspace that can still be used, newest first. */
export async function listInvites(ctx: Ctx, _: ListInvites): Promise<{ invites: Invite[] }> {
  demand(ctx.actor, 'own')
  const invites = await ctx.sql<Invite[]>`
    select id, role, created_by, created_at, expires_at from invites
    where workspace_id = ${ctx.workspaceId} and not claim
      and used_at is null and revoked_at is null and expires_at > clock_timestamp()
    order by created_at desc, id limit ${most}`
  return { invites }
}
