import { newId } from '@waystation/base/ids.ts'
import { inTransaction } from '#db/transaction.ts'
import { hashOfKey } from '#lib/auth/keys/key-secret.ts'
import { claimToken, joinUrl } from '#lib/auth/members/invite-token.ts'
import { lockMembers, ownersOf } from '#lib/auth/members/owners.ts'
import { ctxFor, runtime } from '#lib/kernel/runtime.ts'

const workspaceId = 'default'

/**
 * Returns the link with which the first user becomes the owner of the default workspace. Undefined means that there is
 * no sign-in provider, or that the workspace has an owner. The link stays the same across restarts and processes until
 * it is used, unless `AUTH_SECRET` changes.
 */
export async function claimLink(): Promise<string | undefined> {
  const { env, ports } = runtime()
  if (env.signIn.length === 0) return undefined
  const ctx = ctxFor({ kind: 'system', name: 'server', workspaceId })
  return inTransaction(ctx, async tx => {
    await lockMembers(tx, workspaceId)
    if ((await ownersOf(tx, workspaceId)).length > 0) return undefined
    const [open] = await tx.sql<{ id: string }[]>`
      select id from invites where workspace_id = ${workspaceId} and claim and used_at is null`
    const id = open?.id ?? newId('claim')
    const token = claimToken(env.authSecret, id)
    await tx.sql`
      insert into invites (id, workspace_id, hash, role, claim, created_by, created_at)
      values (${id}, ${workspaceId}, ${hashOfKey(token)}, 'owner', true, 'Waystation', clock_timestamp())
      on conflict (id) do update set hash = excluded.hash`
    return joinUrl(ports.origin, token)
  })
}

/** Returns whether users can sign in but the default workspace has no owner yet. */
export async function isUnclaimed(): Promise<boolean> {
  if (runtime().env.signIn.length === 0) return false
  return (await ownersOf(ctxFor({ kind: 'system', name: 'server', workspaceId }), workspaceId)).length === 0
}
