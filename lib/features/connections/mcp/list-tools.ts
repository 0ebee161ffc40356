import { digestOf } from '@waystation/base/digest.ts'
import type { McpListing, McpTool } from '@waystation/protocol/connection/mcp.ts'
import { LRUCache } from 'lru-cache'
import { type ConnectionRequester, findConnection } from '#lib/features/connections/find.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { acceptedTools } from './accepted-tools.ts'
import { askServer } from './ask-server.ts'
import { placeOf } from './location.ts'

type ServerRef = { integration: string; slug: string }
type SessionRequester = Exclude<ConnectionRequester, 'caller'>

/** How long a list is cached, and how long after a failed request. Milliseconds. */
const cacheMs = 5 * 60_000
const failedCacheMs = 30_000

type CachedList = {
  tools: McpTool[] | undefined
  /** When the workspace's last list was stored that this one has been compared with. */
  comparedWith?: string
}

const cache = new LRUCache<string, CachedList>({ max: 200, ttl: cacheMs })

/**
 * Returns the tools of an MCP server as the session's connection sees them. Each credential asks at most
 * every five minutes. If the server fails, takes longer than three seconds or needs an account, the
 * workspace's last list is used. `queryServers: false` always uses stored lists.
 *
 * Each tool has its accepted definition, and tools that were not accepted are left out. If a cached
 * definition differs, the server is asked again, because the cached one may be older than an accepted change. The same
 * applies if another list, such as that of a check, has shown a change since.
 * Undefined if no MCP server or program has this name.
 */
export async function mcpListing(
  ctx: Ctx,
  requester: SessionRequester,
  server: ServerRef,
  { queryServers = true } = {}
): Promise<McpListing | undefined> {
  const { workspaceId } = ctx
  const location = await placeOf(ctx, server.integration)
  if (location === undefined) return undefined
  const { url } = location
  const row = location.program ? undefined : await findConnection(ctx, requester, server)
  const state = [row?.connectionId, row?.version, row?.state]
  const revision = ctx.ports.programs?.revision(server.integration)
  const key = JSON.stringify([workspaceId, server, url, state, revision])
  const toListing = async (tools: McpTool[] | undefined): Promise<McpListing> => ({
    ...server,
    ...location,
    tools: tools && (await acceptedTools(ctx, server.integration, tools)).filter(({ isNew }) => !isNew)
  })
  const cached = cache.get(key)
  const listed = cached && (await toListing(cached.tools))
  const mayBeOld = async () =>
    listed?.tools?.some(({ offered }) => offered !== undefined) ||
    (cached !== undefined && (await hasLaterChange(ctx, server.integration, url, cached)))
  if (listed !== undefined && !(queryServers && (await mayBeOld()))) return listed
  if (!queryServers) return toListing(await lastKnown(ctx, server.integration, url))
  const { tools } = await askServer(ctx, requester, { ...server, ...location })
  if (tools !== undefined) {
    cache.set(key, { tools })
    return toListing(tools)
  }
  const lastTools = await lastKnown(ctx, server.integration, url)
  cache.set(key, { tools: lastTools }, { ttl: failedCacheMs })
  return toListing(lastTools)
}

async function lastKnown(ctx: Ctx, integration: string, url: string): Promise<McpTool[] | undefined> {
  const [row] = await ctx.sql<{ tools: McpTool[] }[]>`
    select tools from mcp_tool_lists
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and url = ${url}`
  return row?.tools
}

/** Tells whether the workspace's last list has a changed definition that a cached list does not have. */
async function hasLaterChange(
  ctx: Ctx,
  integration: string,
  url: string,
  cached: CachedList
): Promise<boolean> {
  const [row] = await ctx.sql<{ listedAt: string }[]>`
    select listed_at::text as listed_at from mcp_tool_lists
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and url = ${url}`
  if (row === undefined || row.listedAt === cached.comparedWith) return false
  const digests = new Map(cached.tools?.map(tool => [tool.name, digestOf(tool)]))
  const last = await acceptedTools(ctx, integration, (await lastKnown(ctx, integration, url)) ?? [])
  const isChanged = last.some(
    ({ name, offered }) =>
      offered !== undefined && digests.has(name) && digests.get(name) !== digestOf(offered)
  )
  if (!isChanged) cached.comparedWith = row.listedAt
  return isChanged
}
