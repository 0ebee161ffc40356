import { digestOf } from '@waystation/base/digest.ts'
import type { AcceptedMcpTool, McpTool } from '@waystation/protocol/connection/mcp.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

type Row = { name: string; digest: string; definition: McpTool }

/**
 * Returns a server's listed tools as accepted in this workspace (001-19). The tools of the first list are
 * accepted as they are, and later tools are new until an editor accepts them. For a changed tool the accepted
 * definition stays, and the server's own is in `offered`. A tool that disappears and returns is compared with
 * its accepted definition.
 */
export async function acceptedTools(
  ctx: Ctx,
  integration: string,
  listed: readonly McpTool[]
): Promise<AcceptedMcpTool[]> {
  const builtIn = listed.filter(({ does }) => does !== undefined)
  // If a name is listed twice, the first tool is used.
  const byName = new Map<string, McpTool>()
  for (const tool of listed)
    if (tool.does === undefined && !byName.has(tool.name)) byName.set(tool.name, tool)
  const listedRows = [...byName].map(([name, definition]) => ({
    name,
    digest: digestOf(definition),
    definition
  }))
  let accepted = await readAccepted(ctx, integration, listedRows)
  if (accepted.size === 0 && listedRows.length > 0) {
    await acceptFirst(ctx, integration, listedRows)
    accepted = await readAccepted(ctx, integration, listedRows)
  }
  const tools = listedRows.flatMap(({ name, digest, definition }): AcceptedMcpTool[] => {
    const row = accepted.get(name)
    if (row === undefined) return [{ ...definition, isNew: true }]
    return [row.digest === digest ? row.definition : { ...row.definition, offered: definition }]
  })
  return [...tools, ...builtIn]
}

async function readAccepted(
  ctx: Ctx,
  integration: string,
  listedRows: readonly Row[]
): Promise<Map<string, Row>> {
  const rows = await ctx.sql<Row[]>`
    select distinct on (name) name, digest, definition from mcp_tool_versions
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and accepted_at is not null
      and name = any(${listedRows.map(({ name }) => name)}::text[])
    order by name, accepted_at desc`
  return new Map(rows.map(row => [row.name, row]))
}

/** Accepts all tools of a server if none has been accepted before. */
const acceptFirst = (ctx: Ctx, integration: string, listedRows: readonly Row[]) => ctx.sql`
  insert into mcp_tool_versions (workspace_id, integration, name, digest, definition, accepted_at)
  select ${ctx.workspaceId}, ${integration}, t.name, t.digest, t.definition, clock_timestamp()
  from jsonb_to_recordset(${listedRows}::jsonb) as t(name text, digest text, definition jsonb)
  where not exists (select from mcp_tool_versions v where v.workspace_id = ${ctx.workspaceId}
    and v.integration = ${integration} and v.accepted_at is not null)
  on conflict do nothing`
