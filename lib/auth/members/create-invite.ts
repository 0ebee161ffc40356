import { ApiError } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import { hashOfKey } from '#lib/auth/keys/key-secret.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { demand } from '#lib/kernel/scope.ts'
import { joinUrl, newInviteToken } from './invite-token.ts'
import type { CreatedInvite, CreateInvite } from './member.ts'

/** How many days an invite that is no longer valid is kept, so that its page can say why. */
const retentionDays = 30

/**
 * Creates a link with which one user becomes a member. Only this answer contains `url`. Throws `CONFLICT` if the server
 * has no sign-in provider. It also deletes old invalid links of this workspace.
 */
export async function createInvite(ctx: Ctx, { role, ttlSeconds }: CreateInvite): Promise<CreatedInvite> {
  const { actor, sql, workspaceId } = ctx
  demand(actor, 'own')
  if (runtime().env.signIn.length === 0)
    throw new ApiError(
      'CONFLICT',
      'This server has no sign-in provider, so the invited person could not sign in. Set one up first, for example with AUTH_GITHUB_ID (docs/people.md).'
    )
  await sql`
    delete from invites where workspace_id = ${workspaceId} and not claim
      and coalesce(used_at, revoked_at, expires_at) < clock_timestamp() - make_interval(days => ${retentionDays})`
  const id = newId('invite')
  const token = newInviteToken()
  const [invite] = await sql<{ expiresAt: string }[]>`
    insert into invites (id, workspace_id, hash, role, created_by, creator_id, created_at, expires_at)
    values (${id}, ${workspaceId}, ${hashOfKey(token)}, ${role}, ${actor.name},
      ${actor.kind === 'person' ? actor.userId : null}, clock_timestamp(),
      clock_timestamp() + make_interval(secs => ${ttlSeconds}))
    returning expires_at`
  return { id, url: joinUrl(ctx.ports.origin, token), expiresAt: invite!.expiresAt }
}
