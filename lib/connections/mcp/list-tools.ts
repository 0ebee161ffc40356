import { LRUCache } from 'lru-cache'
import { json, storable } from '#db/client.ts'
import { fetchAs } from '#lib/connections/fetch-as.ts'
import { findConnection } from '#lib/connections/find.ts'
import { integrationIfAny } from '#lib/connections/integration.ts'
import type { InLife } from '#lib/connections/owner.ts'
import { ConnectionNeeded } from '#lib/kernel/connection-needed.ts'
import type { Ctx, Outbound } from '#lib/kernel/ctx.ts'
import { log } from '#lib/kernel/log.ts'
import { type McpTalk, withMcp } from '#lib/net/mcp.ts'
import type { McpListing, McpTool } from '#lib/protocol/mcp.ts'
import { acceptedOf } from './accepted-tools.ts'
import { keptOf } from './kept-tools.ts'
import { usesOf } from './uses.ts'

type Asked = { integration: string; slug: string }
type Told = { tools: unknown[]; has: McpTalk['has'] }
type Life = Pick<InLife, 'sessionKey' | 'generation'>

/** How long a turn waits for a server to list its tools, and how long that is believed; what it failed to say, shorter. */
const patience = 3000
const believed = 5 * 60_000
const believedFailed = 30_000

const fresh = new LRUCache<string, { tools: McpTool[] | undefined }>({ max: 200, ttl: believed })

/**
 * The tools of an MCP server as the session's connection sees them. Asked at most every five minutes for each credential; a
 * server that does not answer within three seconds, or wants an account first, leaves those that anybody of the workspace
 * saw last. So does `asks: false`, which never asks. Each is as it was accepted here, whatever the server says of it by now. Undefined: there is no such MCP server here.
 */
export async function mcpListing(
  ctx: Ctx,
  life: Life,
  asked: Asked,
  { asks = true } = {}
): Promise<McpListing | undefined> {
  const integration = await integrationIfAny(ctx, asked.integration)
  if (integration?.mcp === undefined) return undefined
  const { url } = integration.mcp
  const { workspaceId } = ctx
  const row = await findConnection(ctx, life, asked)
  const listing = { ...asked, service: integration.service, url }
  const key = JSON.stringify([workspaceId, asked, url, row?.connectionId, row?.version, row?.state])
  const known = fresh.get(key)
  const as = async (tools: McpTool[] | undefined) => ({
    ...listing,
    tools: tools && (await acceptedOf(ctx, asked.integration, tools))
  })
  if (known !== undefined) return as(known.tools)
  if (!asks) return as(await lastKnown(ctx, asked.integration, url))
  const told = await inTime(ctx, life, asked, url)
  if (told === undefined) {
    const tools = await lastKnown(ctx, asked.integration, url)
    fresh.set(key, { tools }, { ttl: believedFailed })
    return as(tools)
  }
  // As it comes back from the database, so that it has the same digest then.
  const tools = storable([...keptOf(told.tools), ...usesOf(told.has)]) as McpTool[]
  fresh.set(key, { tools })
  await ctx.sql`
    insert into mcp_tool_lists (workspace_id, integration, url, tools, listed_at)
    values (${workspaceId}, ${asked.integration}, ${url}, ${json(tools)}::text::jsonb, clock_timestamp())
    on conflict (workspace_id, integration) do update set url = excluded.url, tools = excluded.tools,
      listed_at = excluded.listed_at`
  return as(tools)
}

/** What the server lists; undefined: it did not, whatever the reason. */
async function inTime(ctx: Ctx, life: Life, asked: Asked, url: string): Promise<Told | undefined> {
  const signal = AbortSignal.timeout(patience)
  const outward: Outbound = (at, init) =>
    ctx.ports.fetch(at, {
      ...init,
      signal: init?.signal === undefined ? signal : AbortSignal.any([signal, init.signal])
    })
  const fetch = fetchAs(ctx, life, outward)(asked.slug, asked.integration)
  const work = withMcp({ url, fetch, signal }, async talk => ({
    tools: await talk.listTools(),
    has: talk.has
  })).catch((error: unknown) => {
    if (error instanceof ConnectionNeeded) return undefined
    const because = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    log('warn', 'the tools of an MCP server could not be listed', { integration: asked.integration, because })
    return undefined
  })
  const late = new Promise<undefined>(resolve =>
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  )
  return Promise.race([work, late])
}

async function lastKnown(ctx: Ctx, integration: string, url: string): Promise<McpTool[] | undefined> {
  const [row] = await ctx.sql<{ tools: McpTool[] }[]>`
    select tools from mcp_tool_lists
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and url = ${url}`
  return row?.tools
}
