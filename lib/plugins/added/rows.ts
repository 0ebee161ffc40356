import type { AddedPlugin } from '@waystation/protocol/plugin/plugin.ts'
import type { workspacePlugins } from '#db/schema/plugins.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

export type AddedRow = typeof workspacePlugins.$inferSelect

/** Returns the plugins that owners added by their address, oldest first: of one workspace, or of all. */
export const addedRows = async ({ sql }: Pick<Ctx, 'sql'>, workspaceId?: string): Promise<AddedRow[]> => [
  ...(await sql<AddedRow[]>`
    select * from workspace_plugins
    where workspace_id = ${workspaceId ?? null} or ${workspaceId === undefined}
    order by workspace_id, added_at, name`)
]

/** Returns the data of a row for people. Its certificates are not included. */
export function addedOf(added: AddedRow): AddedPlugin {
  const { workspaceId: _, name: __, changedAt: ___, pin, ca, addedAt, ...row } = added
  const times = { addedAt: new Date(addedAt).toISOString() }
  return { ...row, ...(pin !== null && { pin }), hasCa: ca !== null, ...times }
}
