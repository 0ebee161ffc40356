import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Encrypts the `sealed` column of a table with the newest key, so that the operator can remove older keys. A row that is
 * saved at the same time is skipped, because it already uses the newest key. Throws if the key of a row is lost.
 *
 * @param table a table with the columns `workspace_id`, `name` and `sealed`
 * @param purposeOf the purpose that a row's secret was encrypted for
 */
export async function reencryptSealed(
  { sql, ports: { vault } }: Ctx,
  table: string,
  purposeOf: (workspaceId: string, name: string) => string
): Promise<void> {
  const olderKeys = [...vault.olderKeys]
  if (olderKeys.length === 0) return
  const rows = await sql<{ workspaceId: string; name: string; sealed: string }[]>`
    select workspace_id, name, sealed from ${sql(table)} where split_part(sealed, '.', 2) = any(${olderKeys})`
  for (const { workspaceId, name, sealed } of rows) {
    const purpose = purposeOf(workspaceId, name)
    await sql`
      update ${sql(table)} set sealed = ${vault.encrypt(vault.decrypt(sealed, purpose), purpose)}
      where workspace_id = ${workspaceId} and name = ${name} and sealed = ${sealed}`
  }
}
