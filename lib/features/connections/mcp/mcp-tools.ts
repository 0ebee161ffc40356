import { type McpConnection, withMcp } from '@waystation/mcp-client'
import type { McpTools } from '@waystation/protocol/agent/agent.ts'
import type { AcceptedMcpTool, McpListing } from '@waystation/protocol/connection/mcp.ts'
import { z } from 'zod'
import { fetchFor } from '#lib/features/connections/fetch-as.ts'
import { anyArguments, foreignSeconds, foreignTool, toolNameOf } from '#lib/tools/foreign-tool.ts'
import type { ResolvedTool } from '#lib/tools/resolved-tool.ts'
import { maxResponseBytes } from '#lib/tools/service-response.ts'
import type { Tool, ToolRun } from '#lib/tools/tool.ts'
import { programsOf } from './ask-server.ts'
import { questionAnswers } from './mcp-questions.ts'
import { mcpErrorOf } from './mcp-result.ts'
import { runTool } from './mcp-use.ts'

/**
 * Returns the tools of an MCP server for an agent, named `<integration>__<tool>`. Until the tools are known,
 * the only tool is one that asks for the account. It then stays hidden, for a call that still waits for it.
 * Each call opens a new connection to the server, so that any process can run it.
 */
export function mcpTools(config: McpTools, listings: readonly McpListing[]): ResolvedTool[] {
  const { mcp, slug = mcp } = config
  const listing = listings.find(candidate => candidate.integration === mcp && candidate.slug === slug)
  if (listing === undefined) return []
  const connect = connectToolOf(listing)
  if (listing.tools === undefined) return [connect]
  const allowed = listing.tools.filter(({ name }) => config.tools?.includes(name) ?? true)
  return [...allowed.map(tool => resolvedTool(config, listing, tool)), { ...connect, hidden: true }]
}

function resolvedTool(config: McpTools, listing: McpListing, definition: AcceptedMcpTool): ResolvedTool {
  const { integration, service, url } = listing
  const { offered, ...before } = definition
  const tool: Tool<Record<string, unknown>> = {
    name: toolNameOf(`${integration}__${definition.name}`),
    description: definition.description,
    input: anyArguments,
    where: 'server',
    timeout: foreignSeconds,
    async execute(input, run) {
      try {
        return await withServer(listing, run, talk => runTool(talk, definition, input))
      } catch (error) {
        throw mcpErrorOf(service, error)
      }
    }
  }
  return {
    ...foreignTool(tool),
    ...(offered === undefined ? {} : { change: { integration, service, before, after: offered } }),
    inputSchema: definition.inputSchema,
    address: url,
    // The server's own hint (`readOnlyHint`) is not trusted, so it never skips an approval.
    kind: config.approval === 'auto' ? 'server' : 'approval',
    title: () => `${service}: ${definition.title ?? definition.name}`,
    ...(config.timeoutSeconds === undefined ? {} : { timeoutSeconds: config.timeoutSeconds })
  }
}

/**
 * Returns the tool that connects an account. A server's tools are unknown until a user connects, and only a
 * call can ask for that.
 */
function connectToolOf(listing: McpListing): ResolvedTool {
  const { integration, service } = listing
  const tool: Tool<Record<string, unknown>> = {
    name: toolNameOf(`connect_${integration}`),
    description: `Connect ${service}. Its tools become available once an account is connected. Call this when you need ${service}.`,
    input: z.record(z.string(), z.unknown()),
    where: 'server',
    timeout: foreignSeconds,
    async execute(_, run) {
      try {
        const tools = await withServer(listing, run, talk => talk.listTools())
        return `${service} is connected. Its ${tools.length} tools are available from your next turn.`
      } catch (error) {
        throw mcpErrorOf(service, error)
      }
    }
  }
  return {
    ...foreignTool(tool),
    inputSchema: { type: 'object', properties: {} },
    title: () => `Connect ${service}`
  }
}

/** Connects to a server over HTTP, or to the session's own copy of a local program. */
async function withServer<T>(
  { integration, slug, service, url, program }: McpListing,
  run: ToolRun,
  work: (talk: McpConnection) => Promise<T>
): Promise<T> {
  const { ctx, lease, call, signal } = run
  const answers = questionAnswers(service, call.elicited)
  if (program) {
    const owner = {
      workspaceId: ctx.workspaceId,
      sessionKey: lease.sessionKey,
      generation: call.generation
    }
    return programsOf(ctx).talk(owner, integration, signal, work, answers)
  }
  const fetch = fetchFor(run)(slug, integration)
  return withMcp({ url, fetch, signal, maxBytes: maxResponseBytes, answers }, work)
}
