import { LRUCache } from 'lru-cache'
import { type ForWhom, findConnection } from '#lib/features/connections/find.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { McpListing, McpTool } from '#lib/protocol/connection/mcp.ts'
import { acceptedOf } from './accepted-tools.ts'
import { askServer } from './ask-server.ts'
import { placeOf } from './place.ts'

type Asked = { integration: string; slug: string }
type Life = Exclude<ForWhom, 'caller'>

/** How long what a server listed is believed; what it failed to say, shorter. */
const believed = 5 * 60_000
const believedFailed = 30_000

const fresh = new LRUCache<string, { tools: McpTool[] | undefined }>({ max: 200, ttl: believed })

/**
 * The tools of an MCP server as the session's connection sees them. Asked at most every five minutes for each credential; a
 * server that does not answer within three seconds, or wants an account first, leaves those that anybody of the workspace
 * saw last. So does `asks: false`, which never asks. Each is as it was accepted here, whatever the server says of it by now, and
 * one that nobody has accepted is not there; before one is called another than that, the server is asked again: somebody may have accepted what it says since.
 * Undefined: there is no such MCP server here, and no program of this name.
 */
export async function mcpListing(
  ctx: Ctx,
  life: Life,
  asked: Asked,
  { asks = true } = {}
): Promise<McpListing | undefined> {
  const { workspaceId } = ctx
  const place = await placeOf(ctx, asked.integration)
  if (place === undefined) return undefined
  const { url } = place
  const row = place.program ? undefined : await findConnection(ctx, life, asked)
  const state = [row?.connectionId, row?.version, row?.state]
  const revision = ctx.ports.programs?.revision(asked.integration)
  const key = JSON.stringify([workspaceId, asked, url, state, revision])
  const as = async (tools: McpTool[] | undefined): Promise<McpListing> => ({
    ...asked,
    ...place,
    tools: tools && (await acceptedOf(ctx, asked.integration, tools)).filter(({ isNew }) => !isNew)
  })
  const known = fresh.get(key)
  const listed = known && (await as(known.tools))
  if (listed !== undefined && !(asks && listed.tools?.some(({ offered }) => offered !== undefined)))
    return listed
  if (!asks) return as(await lastKnown(ctx, asked.integration, url))
  const { tools } = await askServer(ctx, life, { ...asked, ...place })
  if (tools !== undefined) {
    fresh.set(key, { tools })
    return as(tools)
  }
  const last = await lastKnown(ctx, asked.integration, url)
  fresh.set(key, { tools: last }, { ttl: believedFailed })
  return as(last)
}

async function lastKnown(ctx: Ctx, integration: string, url: string): Promise<McpTool[] | undefined> {
  const [row] = await ctx.sql<{ tools: McpTool[] }[]>`
    select tools from mcp_tool_lists
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and url = ${url}`
  return row?.tools
}
