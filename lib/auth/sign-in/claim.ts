import { inTransaction } from '#db/transaction.ts'
import { hashOfKey } from '#lib/auth/keys/key-secret.ts'
import { claimToken, joinUrl } from '#lib/auth/members/invite-token.ts'
import { lockMembers, ownersOf } from '#lib/auth/members/owners.ts'
import { newId } from '#lib/kernel/ids.ts'
import { ctxFor, runtime } from '#lib/kernel/runtime.ts'

const workspaceId = 'default'

/**
 * The link by which the first person becomes the owner of the default workspace; undefined where people do not sign in,
 * and once somebody owns it. The same at every start and in every process until it is used, unless `AUTH_SECRET` changes.
 */
export async function claimLink(): Promise<string | undefined> {
  const { env, ports } = runtime()
  if (env.signIn.length === 0) return undefined
  const server = ctxFor({ kind: 'system', name: 'server', workspaceId })
  return inTransaction(server, async tx => {
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

/** Whether nobody who could sign in owns this server yet. */
export async function isUnclaimed(): Promise<boolean> {
  if (runtime().env.signIn.length === 0) return false
  return (await ownersOf(ctxFor({ kind: 'system', name: 'server', workspaceId }), workspaceId)).length === 0
}
