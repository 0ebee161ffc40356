import { z } from 'zod'
import { fetchFor } from '#lib/features/connections/fetch-as.ts'
import type { McpTalk } from '#lib/kernel/ports/mcp-talk.ts'
import { withMcp } from '#lib/net/mcp/client.ts'
import type { McpTools } from '#lib/protocol/agent/agent.ts'
import type { AcceptedMcpTool, McpListing } from '#lib/protocol/connection/mcp.ts'
import { maxAnswerBytes } from '#lib/tools/api-answer.ts'
import { anyArguments, foreignSeconds, foreignTool, toolNameOf } from '#lib/tools/foreign-tool.ts'
import type { ResolvedTool } from '#lib/tools/resolve.ts'
import type { Tool, ToolRun } from '#lib/tools/tool.ts'
import { programsOf } from './ask-server.ts'
import { answering } from './mcp-questions.ts'
import { faultOf } from './mcp-result.ts'
import { usedBy } from './mcp-use.ts'

/**
 * The tools of an MCP server as an agent has them, under `<integration>__<tool>`. While nobody has seen them there is one
 * that asks for the account; later it is hidden, and there for its call that waits. A call speaks with the server anew, so
 * that any process may run it.
 */
export function mcpTools(config: McpTools, listings: readonly McpListing[]): ResolvedTool[] {
  const { mcp, slug = mcp } = config
  const listing = listings.find(one => one.integration === mcp && one.slug === slug)
  if (listing === undefined) return []
  const connect = connecting(listing)
  if (listing.tools === undefined) return [connect]
  const allowed = listing.tools.filter(({ name }) => config.tools?.includes(name) ?? true)
  return [...allowed.map(tool => one(config, listing, tool)), { ...connect, hidden: true }]
}

function one(config: McpTools, listing: McpListing, told: AcceptedMcpTool): ResolvedTool {
  const { integration, service, url } = listing
  const { offered, ...before } = told
  const tool: Tool<Record<string, unknown>> = {
    name: toolNameOf(`${integration}__${told.name}`),
    description: told.description,
    input: anyArguments,
    where: 'server',
    timeout: foreignSeconds,
    async execute(input, run) {
      try {
        return await speak(listing, run, talk => usedBy(talk, told, input))
      } catch (error) {
        throw faultOf(service, error)
      }
    }
  }
  return {
    ...foreignTool(tool),
    ...(offered === undefined ? {} : { change: { integration, service, before, after: offered } }),
    inputSchema: told.inputSchema,
    address: url,
    // What the server says of its tools (`readOnlyHint`) is its own word, and opens nothing.
    kind: config.approval === 'auto' ? 'server' : 'approval',
    title: () => `${service}: ${told.title ?? told.name}`,
    ...(config.timeoutSeconds === undefined ? {} : { timeoutSeconds: config.timeoutSeconds })
  }
}

/** Its tools are known once somebody is connected, and somebody connects because a call asks for it. */
function connecting(listing: McpListing): ResolvedTool {
  const { integration, service } = listing
  const tool: Tool<Record<string, unknown>> = {
    name: toolNameOf(`connect_${integration}`),
    description: `Connect ${service}. Its tools become available once an account is connected. Call this when you need ${service}.`,
    input: z.record(z.string(), z.unknown()),
    where: 'server',
    timeout: foreignSeconds,
    async execute(_, run) {
      try {
        const tools = await speak(listing, run, talk => talk.listTools())
        return `${service} is connected. Its ${tools.length} tools are available from your next turn.`
      } catch (error) {
        throw faultOf(service, error)
      }
    }
  }
  return {
    ...foreignTool(tool),
    inputSchema: { type: 'object', properties: {} },
    title: () => `Connect ${service}`
  }
}

/** Speaks with a server, wherever it is: by HTTP, or with the session's own copy of a program of this machine. */
async function speak<T>(
  { integration, slug, service, url, program }: McpListing,
  run: ToolRun,
  work: (talk: McpTalk) => Promise<T>
): Promise<T> {
  const { ctx, lease, call, signal } = run
  const answers = answering(service, call.elicited)
  if (program) {
    const life = {
      workspaceId: ctx.workspaceId,
      sessionKey: lease.sessionKey,
      generation: call.generation
    }
    return programsOf(ctx).talk(life, integration, signal, work, answers)
  }
  const fetch = fetchFor(run)(slug, integration)
  return withMcp({ url, fetch, signal, maxBytes: maxAnswerBytes, answers }, work)
}
