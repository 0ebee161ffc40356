import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { AcceptMcpTool, McpServerOffer, McpTool } from '@waystation/protocol/connection/mcp.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { acceptOffered } from './accept-tool.ts'
import { storeOffered } from './changed-tools.ts'
import { getServer } from './servers.ts'

/**
 * Accepts a tool's definition for every agent of the workspace, as its server last listed it (001-19). It has
 * the same effect as approving a call of the changed tool. Throws `CONFLICT` if the server lists a definition
 * other than `digest`, so that no unseen one is accepted.
 */
export async function acceptDefinition(
  ctx: Ctx,
  { server, tool, digest }: AcceptMcpTool
): Promise<McpServerOffer> {
  const { offers, server: integration } = await getServer(ctx, { server })
  const listedTool = offers.find(({ name }) => name === tool)
  if (listedTool === undefined) throw notFound('tool', tool)
  // Accepting the same definition again changes nothing.
  if (listedTool.offered !== undefined && listedTool.offered.digest !== digest) throw changedAgain(tool)
  await inTransaction(ctx, async tx => {
    const [row] = await tx.sql<{ definition: McpTool }[]>`
      select t as definition from mcp_tool_lists, jsonb_array_elements(tools) t
      where workspace_id = ${tx.workspaceId} and integration = ${integration} and t ->> 'name' = ${tool}
        and not t ? 'does'
      limit 1 for update of mcp_tool_lists`
    if (row === undefined) throw changedAgain(tool)
    const isNew = await storeOffered(tx, tx, { integration, after: row.definition })
    if (!isNew) return
    const by = tx.actor.name
    if (!(await acceptOffered(tx, { workspaceId: tx.workspaceId, integration, tool, digest, by })))
      throw changedAgain(tool)
    await tx.sql`
      insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_name, at)
      values (${tx.workspaceId}, '', 'mcp.tool-changed', ${by}, ${tx.actor.kind === 'person' ? 'page' : 'api'}, '', ${`${integration}__${tool}`},
        clock_timestamp())`
  })
  return getServer(ctx, { server })
}

const changedAgain = (tool: string) =>
  new ApiError(
    'CONFLICT',
    `The definition of ${tool} changed again, so nothing was accepted. Review the new definition.`
  )
