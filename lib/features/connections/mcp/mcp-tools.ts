import { ToolError } from '@waystation/base/known-error.ts'
import type { McpConnection } from '@waystation/mcp-client'
import type { McpTools } from '@waystation/protocol/agent/agent.ts'
import type { AcceptedMcpTool, McpListing } from '@waystation/protocol/connection/mcp.ts'
import { z } from 'zod'
import { anyArguments, foreignSeconds, foreignTool, toolNameOf } from '#lib/tools/foreign-tool.ts'
import type { ResolvedTool } from '#lib/tools/resolved-tool.ts'
import type { Tool, ToolRun } from '#lib/tools/tool.ts'
import { programsOf } from './ask-server.ts'
import { inHttpSession } from './http-sessions.ts'
import { questionAnswers } from './mcp-questions.ts'
import { mcpErrorOf } from './mcp-result.ts'
import { runTool } from './mcp-use.ts'

/**
 * Returns the tools of an MCP server for an agent, named `<integration>__<tool>`. Until the tools are known,
 * the only tool is one that asks for the account. It then stays hidden, for a call that still waits for it.
 * Each call opens its own connection to the server, so that any process can run it. A server's session lasts longer
 * (`http-sessions.ts`).
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
        return await withServer(listing, run, async (talk, isNew) => {
          const note = isNew ? newSessionNote(service) : ''
          return `${note}${await runTool(talk, definition, input).catch(withNote(note))}`
        })
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
    description: `Call this when you need ${service}, whose tools are not known yet. It asks a user to connect an account, or returns the reason why ${service} does not work.`,
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
  listing: McpListing,
  run: ToolRun,
  work: (talk: McpConnection, isNew: boolean) => Promise<T>
): Promise<T> {
  if (!listing.program) return inHttpSession(listing, run, work)
  const { ctx, lease, call, signal } = run
  const owner = {
    workspaceId: ctx.workspaceId,
    sessionKey: lease.sessionKey,
    generation: call.generation
  }
  const answers = questionAnswers(listing.service, call.elicited)
  return programsOf(ctx).talk(owner, listing.integration, signal, talk => work(talk, false), answers)
}

/** Tells the model and users that a stateful server starts from nothing. */
const newSessionNote = (service: string): string =>
  `Note: ${service} ended the earlier session and opened a new one. Anything that it kept for earlier calls is gone.\n\n`

const withNote =
  (note: string) =>
  (error: unknown): never => {
    throw error instanceof ToolError ? new ToolError(`${note}${error.message}`) : error
  }
