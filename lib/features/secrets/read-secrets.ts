import { log } from '@waystation/base/log.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

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

/**
 * Encrypts secrets with the newest key, so that the operator can remove older keys. A secret that is saved at the same
 * time is skipped, because the new one already uses the newest key. A secret whose key is lost is skipped too.
 */
export async function reencryptNamedSecrets({ sql, ports: { vault } }: Ctx): Promise<void> {
  const olderKeys = [...vault.olderKeys]
  if (olderKeys.length === 0) return
  const rows = await sql<EncryptedSecret[]>`
    select workspace_id, name, sealed from workspace_secrets where split_part(sealed, '.', 2) = any(${olderKeys})`
  for (const { workspaceId, name, sealed } of rows) {
    const purpose = purposeOf(workspaceId, name)
    await sql`
      update workspace_secrets set sealed = ${vault.encrypt(vault.decrypt(sealed, purpose), purpose)}
      where workspace_id = ${workspaceId} and name = ${name} and sealed = ${sealed}`
  }
}
