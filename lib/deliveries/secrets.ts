import { randomBytes } from 'node:crypto'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { log } from '#lib/kernel/log.ts'

/** Whose secret it is. */
export type SecretOwner = `agent:${string}` | `webhook:${string}`

/** How many may hold at a time, the newest, so that nobody's signature grows without end. */
export const mostSecrets = 5

/**
 * The secrets of an owner that hold now, the newest first; none: nothing of theirs is signed. One whose vault key is lost
 * is left out while another one opens, so that a new secret mends it; when none opens it throws: that is not the same as
 * having none.
 */
export async function secretsOf(ctx: Ctx, workspaceId: string, owner: SecretOwner): Promise<string[]> {
  const rows = await ctx.sql<Sealed[]>`
    select id, sealed from signing_secrets
    where workspace_id = ${workspaceId} and owner = ${owner} and (retires_at is null or retires_at > clock_timestamp())
    order by created_at desc limit ${mostSecrets}`
  return openSecrets(ctx, workspaceId, owner, rows)
}

/** A stored secret, as only the vault can read it. */
export type Sealed = { id: string; sealed: string }

/** Opens what a query of one's own has found, as `secretsOf` does. */
export function openSecrets(
  ctx: Ctx,
  workspaceId: string,
  owner: SecretOwner,
  rows: readonly Sealed[]
): string[] {
  const faults: unknown[] = []
  const secrets = rows.flatMap(({ id, sealed }) => {
    try {
      return [ctx.ports.vault.open(sealed, purposeOf(workspaceId, owner, id))]
    } catch (error) {
      faults.push(error)
      return []
    }
  })
  if (secrets.length === 0 && faults.length > 0) throw faults[0]
  for (const error of faults)
    log('warn', 'A signing secret could not be decrypted. The other secrets are used.', { owner, error })
  return secrets
}

/**
 * A new secret, which signs from now on; the ones before it hold for `overlapSeconds` more. It is told here and nowhere
 * else: `whsec_` and 32 random bytes in base64 (Standard Webhooks).
 */
export async function rotateSecret(
  ctx: Ctx,
  owner: SecretOwner,
  overlapSeconds: number
): Promise<{ secretId: string; secret: string }> {
  const secretId = newId('sec')
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const { workspaceId } = ctx
  const sealed = ctx.ports.vault.seal(secret, purposeOf(workspaceId, owner, secretId))
  await inTransaction(ctx, async tx => {
    await tx.sql`
      update signing_secrets set retires_at = clock_timestamp() + make_interval(secs => ${overlapSeconds})
      where workspace_id = ${workspaceId} and owner = ${owner}
        and coalesce(retires_at, 'infinity') > clock_timestamp() + make_interval(secs => ${overlapSeconds})`
    await tx.sql`
      insert into signing_secrets (id, workspace_id, owner, sealed, created_by, created_at)
      values (${secretId}, ${workspaceId}, ${owner}, ${sealed}, ${ctx.actor.name}, clock_timestamp())`
  })
  return { secretId, secret }
}

/** What a sealed secret is bound to: moved to another row, it opens nothing. */
const purposeOf = (workspaceId: string, owner: SecretOwner, id: string) =>
  `signing\n${workspaceId}\n${owner}\n${id}`
