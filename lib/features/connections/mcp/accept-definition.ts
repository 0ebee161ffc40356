import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import type { AcceptMcpTool, McpServerOffer, McpTool } from '#lib/protocol/connection/mcp.ts'
import { acceptOffered } from './accept-tool.ts'
import { offer } from './changed-tools.ts'
import { getServer } from './servers.ts'

/**
 * Accepts, for every agent of the workspace, the definition of a tool that its server was last heard to offer (001-19), and none
 * that was not looked at: `CONFLICT` where it offers another by now. As by approving a call of it, without one.
 */
export async function acceptDefinition(
  ctx: Ctx,
  { server, tool, digest }: AcceptMcpTool
): Promise<McpServerOffer> {
  const { offers, server: integration } = await getServer(ctx, { server })
  const shown = offers.find(({ name }) => name === tool)
  if (shown === undefined) throw notFound('tool', tool)
  // Twice the same is once.
  if (shown.offered !== undefined && shown.offered.digest !== digest) throw another(tool)
  await inTransaction(ctx, async tx => {
    const [listed] = await tx.sql<{ definition: McpTool }[]>`
      select t as definition from mcp_tool_lists, jsonb_array_elements(tools) t
      where workspace_id = ${tx.workspaceId} and integration = ${integration} and t ->> 'name' = ${tool}
        and not t ? 'does'
      limit 1 for update of mcp_tool_lists`
    if (listed === undefined) throw another(tool)
    const isNew = await offer(tx, tx, { integration, after: listed.definition })
    if (!isNew) return
    const by = tx.actor.name
    if (!(await acceptOffered(tx, { workspaceId: tx.workspaceId, integration, tool, digest, by })))
      throw another(tool)
    await tx.sql`
      insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_name, at)
      values (${tx.workspaceId}, '', 'mcp.tool-changed', ${by}, ${tx.actor.kind === 'person' ? 'page' : 'api'}, '', ${`${integration}__${tool}`},
        clock_timestamp())`
  })
  return getServer(ctx, { server })
}

const another = (tool: string) =>
  new Refusal(
    'CONFLICT',
    `The definition of ${tool} changed again, so nothing was accepted. Review the new definition.`
  )
