import { ApiError, invalid, notFound } from '@waystation/base/api-error.ts'
import { log } from '@waystation/base/log.ts'
import {
  type DeletedWorkspace,
  type DeleteWorkspace,
  defaultWorkspaceId
} from '@waystation/protocol/workspace/workspaces.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { demand } from '#lib/kernel/scope.ts'
import { newLinkSecret } from '#lib/kernel/settings/link-secret.ts'

/** Tables with secrets, or with access to a workspace. They are deleted at once, and everything else within minutes. */
const accessTables = [
  'members',
  'api_keys',
  'invites',
  'session_tokens',
  'workspace_secrets',
  'model_providers',
  'workspace_plugins',
  'connections',
  'integrations',
  'integration_clients',
  'signing_secrets',
  'webhooks'
]

/**
 * Deletes the caller's workspace. Access to it ends at once, and links that it signed stop working. Throws
 * `INVALID_INPUT` if the name is not its name, and `CONFLICT` for a workspace that cannot be deleted.
 */
export async function deleteWorkspace(ctx: Ctx, { name }: DeleteWorkspace): Promise<DeletedWorkspace> {
  demand(ctx.actor, 'own')
  const { workspaceId: id } = ctx
  return inTransaction(ctx, async tx => {
    const [workspace] = await tx.sql<{ name: string; inFile: boolean }[]>`
      select name, in_file from workspaces where id = ${id} and deleted_at is null for update`
    if (workspace === undefined) throw notFound('workspace', id)
    if (id === defaultWorkspaceId)
      throw new ApiError(
        'CONFLICT',
        'Every server has this workspace. Delete its sessions and agents instead.'
      )
    if (workspace.inFile)
      throw new ApiError(
        'CONFLICT',
        `The workspace has a file. Remove “${id}” from the workspace files first.`
      )
    if (name !== workspace.name)
      throw invalid('The name does not match. Nothing was deleted.', {
        name: 'must be the name of the workspace'
      })
    await tx.sql`
      update workspaces set deleted_at = clock_timestamp(), link_secret = ${newLinkSecret()} where id = ${id}`
    for (const table of accessTables) await tx.sql`delete from ${tx.sql(table)} where workspace_id = ${id}`
    tx.afterCommit(() => log('info', 'a workspace was deleted', { workspaceId: id, by: ctx.actor.name }))
    return { id }
  })
}
