import { log } from '@waystation/base/log.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { reencryptSealed } from '#lib/kernel/reencrypt-sealed.ts'

/** Binds an encrypted secret to its row, so that it cannot be decrypted in another one. */
export const purposeOf = (workspaceId: string, name: string) => `secret\n${workspaceId}\n${name}`

type EncryptedSecret = { workspaceId: string; name: string; sealed: string }

/**
 * Returns the secrets of all workspaces: values by name, by workspace. A secret that cannot be decrypted is logged and
 * left out.
 */
export async function readSecrets(
  ctx: Pick<Ctx, 'sql' | 'ports'>
): Promise<Map<string, Record<string, string>>> {
  const rows = await ctx.sql<EncryptedSecret[]>`select workspace_id, name, sealed from workspace_secrets`
  const secrets = new Map<string, Record<string, string>>()
  for (const { workspaceId, name, sealed } of rows)
    try {
      const value = ctx.ports.vault.decrypt(sealed, purposeOf(workspaceId, name))
      secrets.set(workspaceId, { ...secrets.get(workspaceId), [name]: value })
    } catch (error) {
      log('error', 'a secret of a workspace cannot be decrypted; save it again', { workspaceId, name, error })
    }
  return secrets
}

/** Encrypts the secrets with the newest key of the vault. */
export const reencryptNamedSecrets = (ctx: Ctx): Promise<void> =>
  reencryptSealed(ctx, 'workspace_secrets', purposeOf)
