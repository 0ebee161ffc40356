import { ToolError } from '@waystation/base/known-error.ts'
import { log } from '@waystation/base/log.ts'
import type { Outbound } from '@waystation/egress'
import { type McpConnection, withMcp } from '@waystation/mcp-client'
import type { CheckedState, McpTool } from '@waystation/protocol/connection/mcp.ts'
import { storable } from '#db/client.ts'
import { fetchAs } from '#lib/features/connections/fetch-as.ts'
import type { ConnectionRequester } from '#lib/features/connections/find.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ConnectionNeeded } from '#lib/kernel/ports/connection-needed.ts'
import { listFailure } from './list-failure.ts'
import type { McpLocation } from './location.ts'
import { resourceTools } from './resource-tools.ts'
import { usableTools } from './usable-tools.ts'

type ServerTools = { tools: unknown[]; has: McpConnection['has'] }
type CheckResult = { state: CheckedState; tools?: McpTool[]; error?: string }

/** How long a server may take to list its tools, in milliseconds. Short, because a turn waits for it. */
const httpTimeoutMs = 3000
const programTimeoutMs = 10_000

/** Identifies the copy of a program that belongs to no session, for a caller who checks it. */
const noSession = { sessionKey: 0, generation: 0 }

/**
 * Asks a server for its tools with the account of a session or of the caller. Stores the list and the result
 * of the check for the workspace. The state `account`, a missing account of this caller, does not replace
 * another state.
 */
export async function askServer(
  ctx: Ctx,
  requester: ConnectionRequester,
  { integration, slug, ...location }: McpLocation & { integration: string; slug: string }
): Promise<CheckResult> {
  const startedAt = performance.now()
  const result = await checkInTime(ctx, requester, { integration, slug, ...location })
  const tookMs = Math.round(performance.now() - startedAt)
  const { workspaceId } = ctx
  const { url } = location
  if (result.tools !== undefined)
    await ctx.sql`
      insert into mcp_tool_lists (workspace_id, integration, url, tools, listed_at)
      values (${workspaceId}, ${integration}, ${url}, ${result.tools}::jsonb, clock_timestamp())
      on conflict (workspace_id, integration) do update set url = excluded.url, tools = excluded.tools,
        listed_at = excluded.listed_at`
  await ctx.sql`
    insert into mcp_checks (workspace_id, integration, url, state, at, took_ms, error)
    values (${workspaceId}, ${integration}, ${url}, ${result.state}, clock_timestamp(), ${tookMs}, ${result.error ?? null})
    on conflict (workspace_id, integration) do update set url = excluded.url, state = excluded.state, at = excluded.at,
      took_ms = excluded.took_ms, error = excluded.error
    where excluded.state <> 'account' or mcp_checks.state = 'account' or mcp_checks.url <> excluded.url`
  return result
}

async function checkInTime(
  ctx: Ctx,
  requester: ConnectionRequester,
  { integration, slug, url, program }: McpLocation & { integration: string; slug: string }
): Promise<CheckResult> {
  const ms = program ? programTimeoutMs : httpTimeoutMs
  const signal = AbortSignal.timeout(ms)
  const timeout = new Promise<CheckResult>(resolve => {
    const error = `The server did not list its tools within ${ms / 1000} s.`
    signal.addEventListener('abort', () => resolve({ state: 'failed', error }), { once: true })
  })
  const answer = program
    ? askProgram(ctx, requester, integration, signal)
    : withMcp(
        { url, fetch: fetchAs(ctx, requester, outboundWithSignal(ctx, signal))(slug, integration), signal },
        readTools
      )
  // Report an invalid list as an error of the server, like a failed request.
  const result = answer
    .then(async ({ tools, has }): Promise<CheckResult> => {
      const usable = await usableTools(ctx, tools)
      const error = usable.leftOut.join('; ').slice(0, 1000)
      return {
        state: 'ok',
        // The tools are normalized as the database returns them, so that their digests match later.
        tools: storable([...usable.tools, ...resourceTools(has)]) as McpTool[],
        ...(error === '' ? {} : { error: storable(error) as string })
      }
    })
    .catch((error: unknown): CheckResult => {
      if (error instanceof ConnectionNeeded) return { state: 'account' }
      return { state: 'failed', error: storable(listFailure(error)) as string }
    })
  const outcome = await Promise.race([result, timeout])
  if (outcome.state === 'failed')
    log('warn', 'could not list the tools of an MCP server', { integration, because: outcome.error })
  return outcome
}

/** Returns the MCP programs of this server. Throws if the operator has not enabled them. */
export function programsOf({ ports: { programs } }: Ctx) {
  if (programs !== undefined) return programs
  throw new ToolError(
    'Local programs are not enabled on this server. Ask the server operator to set WAYSTATION_MCP_STDIO.'
  )
}

async function askProgram(
  ctx: Ctx,
  requester: ConnectionRequester,
  name: string,
  signal: AbortSignal
): Promise<ServerTools> {
  const programs = programsOf(ctx)
  const owner = { workspaceId: ctx.workspaceId, ...(requester === 'caller' ? noSession : requester) }
  const release = programs.hold(owner)
  try {
    return await programs.talk(owner, name, signal, readTools)
  } finally {
    release(requester === 'caller')
  }
}

/** Sends requests that end with `signal`. */
export const outboundWithSignal =
  (ctx: Ctx, signal: AbortSignal): Outbound =>
  (url, init) =>
    ctx.ports.fetch(url, {
      ...init,
      signal: init?.signal === undefined ? signal : AbortSignal.any([signal, init.signal])
    })

const readTools = async (talk: McpConnection): Promise<ServerTools> => ({
  tools: await talk.listTools(),
  has: talk.has
})
