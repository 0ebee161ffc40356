import type { Ctx } from '#lib/kernel/ctx.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import type { AcceptedMcpTool, McpTool } from '#lib/protocol/connection/mcp.ts'

type Row = { name: string; digest: string; definition: McpTool }

/**
 * What a server lists, as it is accepted in this workspace (001-19): the tools of the first list that it saw are, as they are. A
 * tool that comes later is new until an editor accepts it. Of one that is not what it was, the definition that was accepted
 * stays, and the server's own comes along as `offered`. A tool that went and comes back is held against what it was.
 */
export async function acceptedOf(
  ctx: Ctx,
  integration: string,
  listed: readonly McpTool[]
): Promise<AcceptedMcpTool[]> {
  const ours = listed.filter(({ does }) => does !== undefined)
  // A name that is listed twice is its first tool's.
  const byName = new Map<string, McpTool>()
  for (const tool of listed)
    if (tool.does === undefined && !byName.has(tool.name)) byName.set(tool.name, tool)
  const told = [...byName].map(([name, definition]) => ({ name, digest: digestOf(definition), definition }))
  let accepted = await read(ctx, integration, told)
  if (accepted.size === 0 && told.length > 0) {
    await acceptFirst(ctx, integration, told)
    accepted = await read(ctx, integration, told)
  }
  const tools = told.flatMap(({ name, digest, definition }): AcceptedMcpTool[] => {
    const row = accepted.get(name)
    if (row === undefined) return [{ ...definition, isNew: true }]
    return [row.digest === digest ? row.definition : { ...row.definition, offered: definition }]
  })
  return [...tools, ...ours]
}

async function read(ctx: Ctx, integration: string, told: readonly Row[]): Promise<Map<string, Row>> {
  const rows = await ctx.sql<Row[]>`
    select distinct on (name) name, digest, definition from mcp_tool_versions
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and accepted_at is not null
      and name = any(${told.map(({ name }) => name)}::text[])
    order by name, accepted_at desc`
  return new Map(rows.map(row => [row.name, row]))
}

/** Accepts the tools of a server of which nothing was accepted yet. */
const acceptFirst = (ctx: Ctx, integration: string, told: readonly Row[]) => ctx.sql`
  insert into mcp_tool_versions (workspace_id, integration, name, digest, definition, accepted_at)
  select ${ctx.workspaceId}, ${integration}, t.name, t.digest, t.definition, clock_timestamp()
  from jsonb_to_recordset(${told}::jsonb) as t(name text, digest text, definition jsonb)
  where not exists (select from mcp_tool_versions v where v.workspace_id = ${ctx.workspaceId}
    and v.integration = ${integration} and v.accepted_at is not null)
  on conflict do nothing`
