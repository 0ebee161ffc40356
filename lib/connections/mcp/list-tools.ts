import { LRUCache } from 'lru-cache'
import { json, storable } from '#db/client.ts'
import { fetchAs } from '#lib/connections/fetch-as.ts'
import { findConnection } from '#lib/connections/find.ts'
import { integrationIfAny } from '#lib/connections/integration.ts'
import type { InLife } from '#lib/connections/owner.ts'
import { ConnectionNeeded } from '#lib/kernel/connection-needed.ts'
import type { Ctx, Outbound } from '#lib/kernel/ctx.ts'
import { log } from '#lib/kernel/log.ts'
import type { McpTalk } from '#lib/kernel/mcp-talk.ts'
import { withMcp } from '#lib/net/mcp.ts'
import type { McpListing, McpTool } from '#lib/protocol/mcp.ts'
import { acceptedOf } from './accepted-tools.ts'
import { keptOf } from './kept-tools.ts'
import { usesOf } from './uses.ts'

type Asked = { integration: string; slug: string }
type Told = { tools: unknown[]; has: McpTalk['has'] }
type Life = Pick<InLife, 'sessionKey' | 'generation'>

/** How long a turn waits for a server to list its tools, and how long that is believed; what it failed to say, shorter. */
const patience = 3000
const patienceOfPrograms = 10_000
const believed = 5 * 60_000
const believedFailed = 30_000

const fresh = new LRUCache<string, { tools: McpTool[] | undefined }>({ max: 200, ttl: believed })

/**
 * The tools of an MCP server as the session's connection sees them. Asked at most every five minutes for each credential; a
 * server that does not answer within three seconds, or wants an account first, leaves those that anybody of the workspace
 * saw last. So does `asks: false`, which never asks. Each is as it was accepted here, whatever the server says of it by now.
 * Undefined: there is no such MCP server here, and no program of this name.
 */
export async function mcpListing(
  ctx: Ctx,
  life: Life,
  asked: Asked,
  { asks = true } = {}
): Promise<McpListing | undefined> {
  const { workspaceId } = ctx
  const place = await placeOf(ctx, asked)
  if (place === undefined) return undefined
  const { url } = place
  const listing: Omit<McpListing, 'tools'> = { ...asked, ...place }
  const row = place.program ? undefined : await findConnection(ctx, life, asked)
  const state = [row?.connectionId, row?.version, row?.state]
  const key = JSON.stringify([
    workspaceId,
    asked,
    url,
    state,
    ctx.ports.programs?.revision(asked.integration)
  ])
  const known = fresh.get(key)
  const as = async (tools: McpTool[] | undefined): Promise<McpListing> => ({
    ...listing,
    tools: tools && (await acceptedOf(ctx, asked.integration, tools))
  })
  if (known !== undefined) return as(known.tools)
  if (!asks) return as(await lastKnown(ctx, asked.integration, url))
  const told = await inTime(ctx, life, listing)
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
async function inTime(
  ctx: Ctx,
  life: Life,
  { integration, slug, url, program }: Omit<McpListing, 'tools'>
): Promise<Told | undefined> {
  const { programs } = ctx.ports
  const signal = AbortSignal.timeout(program ? patienceOfPrograms : patience)
  const outward: Outbound = (at, init) =>
    ctx.ports.fetch(at, {
      ...init,
      signal: init?.signal === undefined ? signal : AbortSignal.any([signal, init.signal])
    })
  const look = async (talk: McpTalk): Promise<Told> => ({ tools: await talk.listTools(), has: talk.has })
  const listed =
    program && programs !== undefined
      ? programs.talk({ workspaceId: ctx.workspaceId, ...life }, integration, signal, look)
      : withMcp({ url, fetch: fetchAs(ctx, life, outward)(slug, integration), signal }, look)
  const work = listed.catch((error: unknown) => {
    if (error instanceof ConnectionNeeded) return undefined
    const because = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    log('warn', 'the tools of an MCP server could not be listed', { integration, because })
    return undefined
  })
  const late = new Promise<undefined>(resolve =>
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  )
  return Promise.race([work, late])
}

/** The integration of this name, else the program that whoever runs this server allows under it. */
async function placeOf(ctx: Ctx, { integration: name }: Asked) {
  const integration = await integrationIfAny(ctx, name)
  if (integration?.mcp !== undefined) return { service: integration.service, url: integration.mcp.url }
  const program = integration === undefined ? ctx.ports.programs?.offered.get(name) : undefined
  return program && { service: name, url: `program:${name}#${program.digest}`, program: true as const }
}

async function lastKnown(ctx: Ctx, integration: string, url: string): Promise<McpTool[] | undefined> {
  const [row] = await ctx.sql<{ tools: McpTool[] }[]>`
    select tools from mcp_tool_lists
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and url = ${url}`
  return row?.tools
}
