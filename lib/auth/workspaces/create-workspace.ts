import { invalid } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import { type CreateWorkspace, ListedWorkspace } from '@waystation/protocol/workspace/workspaces.ts'
import type { z } from 'zod'
import { inTransaction } from '#db/transaction.ts'
import { CreatedKey, createKey } from '#lib/auth/keys/create-key.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { recordChange } from '#lib/kernel/record-change.ts'
import { demand } from '#lib/kernel/scope.ts'
import { newLinkSecret } from '#lib/kernel/settings/link-secret.ts'

/** The maximum number of workspaces of a server. */
const maxWorkspaces = 1000

/** `key` is the first key of the workspace, if a key created it. */
export const CreatedWorkspace = ListedWorkspace.omit({ current: true }).extend({ key: CreatedKey.optional() })
export type CreatedWorkspace = z.infer<typeof CreatedWorkspace>

/**
 * Creates a workspace. A user becomes its owner. An API key belongs to one workspace, so it receives an owner's key of
 * the new one. Only owners of a workspace can create another.
 */
export async function createWorkspace(ctx: Ctx, { name }: CreateWorkspace): Promise<CreatedWorkspace> {
  const { actor } = ctx
  demand(actor, 'own')
  const id = newId('ws')
  return inTransaction({ ...ctx, workspaceId: id, actor: { ...actor, workspaceId: id } }, async tx => {
    const [{ count } = { count: 0 }] = await tx.sql<
      { count: number }[]
    >`select count(*)::int as count from workspaces`
    if (count >= maxWorkspaces)
      throw invalid(`A server can have up to ${maxWorkspaces} workspaces. Delete one first.`)
    await tx.sql`insert into workspaces (id, name, link_secret) values (${id}, ${name}, ${newLinkSecret()})`
    await recordChange(tx, 'workspace.created')
    if (actor.kind !== 'person')
      return { id, name, key: await createKey(tx, { name: actor.name, role: 'owner' }) }
    await tx.sql`
      insert into members (workspace_id, user_id, role, created_at)
      values (${id}, ${actor.userId}, 'owner', clock_timestamp())`
    return { id, name }
  })
}
