import { randomBytes } from 'node:crypto'
import { newId } from '@waystation/base/ids.ts'
import { log } from '@waystation/base/log.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The agent or webhook that a secret belongs to. */
export type SecretOwner = `agent:${string}` | `webhook:${string}`

/** How many of an owner's newest secrets are valid, so that the signature header stays short. */
export const maxSecrets = 5

/**
 * Returns an owner's valid secrets, newest first. Without secrets, requests are not signed. Secrets that cannot be
 * decrypted are skipped, so a new secret fixes the problem. It throws if none can be decrypted, because the owner does
 * have secrets.
 */
export async function secretsOf(ctx: Ctx, workspaceId: string, owner: SecretOwner): Promise<string[]> {
  const rows = await ctx.sql<EncryptedSecret[]>`
    select id, sealed from signing_secrets
    where workspace_id = ${workspaceId} and owner = ${owner} and (retires_at is null or retires_at > clock_timestamp())
    order by created_at desc limit ${maxSecrets}`
  return openSecrets(ctx, workspaceId, owner, rows)
}

/** Returns whether an owner has valid secrets. Does not decrypt them. */
export async function hasSecrets({ sql }: Ctx, workspaceId: string, owner: SecretOwner): Promise<boolean> {
  const rows = await sql`
    select from signing_secrets
    where workspace_id = ${workspaceId} and owner = ${owner} and (retires_at is null or retires_at > clock_timestamp())
    limit 1`
  return rows.length > 0
}

/** An encrypted secret as stored. */
export type EncryptedSecret = { id: string; sealed: string }

/** Decrypts secrets that the caller has already read, as `secretsOf` does. */
export function openSecrets(
  ctx: Ctx,
  workspaceId: string,
  owner: SecretOwner,
  rows: readonly EncryptedSecret[]
): string[] {
  const errors: unknown[] = []
  const secrets = rows.flatMap(({ id, sealed }) => {
    try {
      return [ctx.ports.vault.decrypt(sealed, purposeOf(workspaceId, owner, id))]
    } catch (error) {
      errors.push(error)
      return []
    }
  })
  if (secrets.length === 0 && errors.length > 0) throw errors[0]
  for (const error of errors)
    log('warn', 'A signing secret could not be decrypted. The other secrets are used.', { owner, error })
  return secrets
}

/**
 * Creates a secret that signs from now on. Older ones stay valid for `overlapSeconds`. Only this answer contains the
 * secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks).
 */
export async function rotateSecret(
  ctx: Ctx,
  owner: SecretOwner,
  overlapSeconds: number
): Promise<{ secretId: string; secret: string }> {
  const secretId = newId('sec')
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const { workspaceId } = ctx
  const sealed = ctx.ports.vault.encrypt(secret, purposeOf(workspaceId, owner, secretId))
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

/** Binds an encrypted secret to its row, so that it cannot be decrypted in another one. */
const purposeOf = (workspaceId: string, owner: SecretOwner, id: string) =>
  `signing\n${workspaceId}\n${owner}\n${id}`
