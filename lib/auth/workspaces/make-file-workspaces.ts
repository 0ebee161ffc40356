import { ApiError } from '@waystation/base/api-error.ts'
import { log } from '@waystation/base/log.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { fileCtx } from '#lib/kernel/file-ctx.ts'
import { recordChange } from '#lib/kernel/record-change.ts'
import { newLinkSecret } from '#lib/kernel/settings/link-secret.ts'
import { adoptWorkspaces } from './adopt-workspaces.ts'
import { deleteWorkspace } from './delete-workspace.ts'

/** A workspace that a file names. `name` is its ID, and `delete` the name of a workspace to delete. */
type NamedWorkspace = { name: string; displayName?: string; delete?: string }

/**
 * Creates the workspaces of the workspace files that do not exist yet, and renames and deletes others as the files say.
 * Without a display name, the name of a new workspace is its ID. Returns the IDs of those that exist now. One that is
 * being deleted is created again afterwards.
 */
export async function makeFileWorkspaces(
  ctx: Ctx,
  files: readonly NamedWorkspace[]
): Promise<ReadonlySet<string>> {
  const wanted = files.filter(file => file.delete === undefined)
  const ids = wanted.map(({ name }) => name)
  await ctx.sql`
    update workspaces set in_file = id = any(${ids}::text[]) where in_file <> (id = any(${ids}::text[]))`
  for (const file of files) if (file.delete !== undefined) await remove(ctx, file.name, file.delete)
  for (const { name: id, displayName } of wanted)
    await inTransaction(fileCtx(ctx, id), async tx => {
      const [made] = await tx.sql`
        insert into workspaces (id, name, link_secret, in_file)
        values (${id}, ${displayName ?? id}, ${newLinkSecret()}, true)
        on conflict do nothing returning id`
      if (made !== undefined) {
        await recordChange(tx, 'workspace.created')
        tx.afterCommit(() => log('info', 'a workspace of a file was created', { workspaceId: id }))
      } else if (displayName !== undefined) {
        const [renamed] = await tx.sql`
          update workspaces set name = ${displayName} where id = ${id} and name <> ${displayName} returning id`
        if (renamed !== undefined) await recordChange(tx, 'workspace.renamed')
      }
    })
  await adoptWorkspaces(ctx)
  const rows = await ctx.sql<{ id: string }[]>`
    select id from workspaces where id = any(${ids}::text[]) and deleted_at is null`
  return new Set(rows.map(({ id }) => id))
}

/** Deletes a workspace if it still exists. A wrong name is logged, and nothing is deleted. */
async function remove(ctx: Ctx, id: string, name: string): Promise<void> {
  const [existing] = await ctx.sql`select from workspaces where id = ${id} and deleted_at is null`
  if (existing === undefined) return
  try {
    await deleteWorkspace(fileCtx(ctx, id), { name })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    log('error', 'a workspace file could not delete its workspace', {
      workspaceId: id,
      because: error.message
    })
  }
}
