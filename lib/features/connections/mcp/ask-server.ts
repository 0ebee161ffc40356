import { storable } from '#db/client.ts'
import { fetchAs } from '#lib/features/connections/fetch-as.ts'
import type { ForWhom } from '#lib/features/connections/find.ts'
import type { Ctx, Outbound } from '#lib/kernel/ctx.ts'
import { ToolError } from '#lib/kernel/known-error.ts'
import { log } from '#lib/kernel/log.ts'
import { ConnectionNeeded } from '#lib/kernel/ports/connection-needed.ts'
import type { McpTalk } from '#lib/kernel/ports/mcp-talk.ts'
import { withMcp } from '#lib/net/mcp/client.ts'
import type { CheckedState, McpTool } from '#lib/protocol/connection/mcp.ts'
import { keptOf } from './kept-tools.ts'
import type { McpPlace } from './place.ts'
import { usesOf } from './uses.ts'

type Told = { tools: unknown[]; has: McpTalk['has'] }
type Found = { state: CheckedState; tools?: McpTool[]; error?: string }

/** How long a server may take to list its tools: a turn waits for it. */
const patience = 3000
const patienceOfPrograms = 10_000

/** A copy of a program that belongs to no session: for somebody who looks what it has. */
const noLife = { sessionKey: 0, generation: 0 }

/**
 * Asks a server for its tools, with the account of a session or of whoever asks, and keeps what it says and how it was found,
 * for the workspace. That one caller has no account there is kept only where nobody is known to have one.
 */
export async function askServer(
  ctx: Ctx,
  whose: ForWhom,
  { integration, slug, ...place }: McpPlace & { integration: string; slug: string }
): Promise<Found> {
  const began = performance.now()
  const found = await inTime(ctx, whose, { integration, slug, ...place })
  const tookMs = Math.round(performance.now() - began)
  const { workspaceId } = ctx
  const { url } = place
  if (found.tools !== undefined)
    await ctx.sql`
      insert into mcp_tool_lists (workspace_id, integration, url, tools, listed_at)
      values (${workspaceId}, ${integration}, ${url}, ${found.tools}::jsonb, clock_timestamp())
      on conflict (workspace_id, integration) do update set url = excluded.url, tools = excluded.tools,
        listed_at = excluded.listed_at`
  await ctx.sql`
    insert into mcp_checks (workspace_id, integration, url, state, at, took_ms, error)
    values (${workspaceId}, ${integration}, ${url}, ${found.state}, clock_timestamp(), ${tookMs}, ${found.error ?? null})
    on conflict (workspace_id, integration) do update set url = excluded.url, state = excluded.state, at = excluded.at,
      took_ms = excluded.took_ms, error = excluded.error
    where excluded.state <> 'account' or mcp_checks.state = 'account' or mcp_checks.url <> excluded.url`
  return found
}

async function inTime(
  ctx: Ctx,
  whose: ForWhom,
  { integration, slug, url, program }: McpPlace & { integration: string; slug: string }
): Promise<Found> {
  const ms = program ? patienceOfPrograms : patience
  const signal = AbortSignal.timeout(ms)
  const late = new Promise<Found>(resolve => {
    const error = `The server did not list its tools within ${ms / 1000} s.`
    signal.addEventListener('abort', () => resolve({ state: 'failed', error }), { once: true })
  })
  const told = program
    ? askProgram(ctx, whose, integration, signal)
    : withMcp({ url, fetch: fetchAs(ctx, whose, outward(ctx, signal))(slug, integration), signal }, look)
  // What goes wrong with the list is the server's fault to its caller, as what goes wrong on the way.
  const found = told
    .then(async ({ tools, has }): Promise<Found> => {
      const kept = await keptOf(ctx, tools)
      const error = kept.leftOut.join('; ').slice(0, 1000)
      return {
        state: 'ok',
        // As it comes back from the database, so that it has the same digest then.
        tools: storable([...kept.tools, ...usesOf(has)]) as McpTool[],
        ...(error === '' ? {} : { error: storable(error) as string })
      }
    })
    .catch((error: unknown): Found => {
      if (error instanceof ConnectionNeeded) return { state: 'account' }
      const words = error instanceof Error ? error.message.slice(0, 300) : 'The server gave no reason.'
      return { state: 'failed', error: storable(words) as string }
    })
  const first = await Promise.race([found, late])
  if (first.state === 'failed')
    log('warn', 'could not list the tools of an MCP server', { integration, because: first.error })
  return first
}

/** The MCP programs of this server. Throws if the operator has not enabled them. */
export function programsOf({ ports: { programs } }: Ctx) {
  if (programs !== undefined) return programs
  throw new ToolError(
    'Local programs are not enabled on this server. Ask the server operator to set WAYSTATION_MCP_STDIO.'
  )
}

async function askProgram(ctx: Ctx, whose: ForWhom, name: string, signal: AbortSignal): Promise<Told> {
  const programs = programsOf(ctx)
  const life = { workspaceId: ctx.workspaceId, ...(whose === 'caller' ? noLife : whose) }
  const release = programs.hold(life)
  try {
    return await programs.talk(life, name, signal, look)
  } finally {
    release(whose === 'caller')
  }
}

const outward =
  (ctx: Ctx, signal: AbortSignal): Outbound =>
  (at, init) =>
    ctx.ports.fetch(at, {
      ...init,
      signal: init?.signal === undefined ? signal : AbortSignal.any([signal, init.signal])
    })

const look = async (talk: McpTalk): Promise<Told> => ({ tools: await talk.listTools(), has: talk.has })
