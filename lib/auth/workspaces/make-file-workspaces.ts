import { log } from '@waystation/base/log.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { fileCtx } from '#lib/kernel/file-ctx.ts'
import { recordChange } from '#lib/kernel/record-change.ts'
import { newLinkSecret } from '#lib/kernel/settings/link-secret.ts'
import { adoptWorkspaces } from './adopt-workspaces.ts'

/**
 * Creates the workspaces of the workspace files that do not exist yet, with their ID as name. Returns the IDs of those
 * that exist now. One that is being deleted is created again afterwards.
 */
export async function makeFileWorkspaces(ctx: Ctx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  await ctx.sql`
    update workspaces set in_file = id = any(${ids}::text[]) where in_file <> (id = any(${ids}::text[]))`
  for (const id of ids)
    await inTransaction(fileCtx(ctx, id), async tx => {
      const [made] = await tx.sql`
        insert into workspaces (id, name, link_secret, in_file) values (${id}, ${id}, ${newLinkSecret()}, true)
        on conflict do nothing returning id`
      if (made === undefined) return
      await recordChange(tx, 'workspace.created')
      tx.afterCommit(() => log('info', 'a workspace of a file was created', { workspaceId: id }))
    })
  await adoptWorkspaces(ctx)
  const rows = await ctx.sql<{ id: string }[]>`
    select id from workspaces where id = any(${ids}::text[]) and deleted_at is null`
  return new Set(rows.map(({ id }) => id))
}
