import { z } from 'zod'
import { JsonSchema } from '#lib/protocol/agent/agent.ts'
import { ConfigChange } from '#lib/protocol/agent/agent-revision.ts'
import { Time } from '#lib/protocol/time.ts'

/** A tool as an MCP server describes it: a stranger's words, cut to a length. Its annotations are not kept: nothing goes by them. */
export type McpTool = {
  name: string
  title?: string
  description: string
  inputSchema: JsonSchema
  /** One of ours, by which what is not a tool of the server is used: which. */
  does?: McpUse
}

/** What an agent can do with a server besides calling its tools, where the server has such things. */
export type McpUse = 'list_resources' | 'read_resource' | 'list_prompts' | 'get_prompt'

/**
 * A tool as it is accepted here; `offered`: as its server describes it by now, which nobody has accepted yet. `isNew`: its server
 * had other tools before it listed this one, and nobody has accepted any definition of it: no agent has it.
 */
export type AcceptedMcpTool = McpTool & { offered?: McpTool; isNew?: true }

/** How an approval shows that a tool is not what it was (001-19). `digest`: of the definition that is accepted with it. */
export const ToolChanged = z.looseObject({
  kind: z.literal('tool-changed'),
  integration: z.string(),
  service: z.string(),
  tool: z.string(),
  digest: z.string(),
  changes: z.array(ConfigChange)
})
export type ToolChanged = z.infer<typeof ToolChanged>

/** The tools of an MCP server for one session; `tools` undefined: nobody here has seen them yet. */
export type McpListing = {
  integration: string
  slug: string
  service: string
  url: string
  /** True: it is a program of this machine (`integration` is its name), and `url` only tells its versions apart. */
  program?: true
  tools: AcceptedMcpTool[] | undefined
}

/** How an MCP server was found: it listed its tools, it did not, or it wants an account that nobody had there. */
export const CheckedState = z.enum(['ok', 'failed', 'account'])
export type CheckedState = z.infer<typeof CheckedState>

/** The same with when that was, and in how many milliseconds; `unchecked`: nobody has asked it yet as it is set up now. */
export const McpHealth = z.discriminatedUnion('state', [
  z.object({ state: z.literal('unchecked') }),
  z.object({ state: CheckedState, at: Time, tookMs: z.int(), error: z.string().optional() })
])
export type McpHealth = z.infer<typeof McpHealth>

/**
 * An MCP server that agents of this workspace can use: over HTTP, or a program of this machine. `about`: its address without
 * a query, or what whoever runs this server says of the program. `changed`: of how many tools it offers another definition than
 * the accepted one; `added`: how many of its tools are new, which no agent has before an editor accepts them.
 */
export const McpServer = z.object({
  server: z.string(),
  service: z.string(),
  kind: z.enum(['http', 'program']),
  about: z.string(),
  health: McpHealth,
  tools: z.int(),
  changed: z.int(),
  added: z.int(),
  agents: z.array(z.object({ agentId: z.string(), displayName: z.string() }))
})
export type McpServer = z.infer<typeof McpServer>

/** Servers, and what agents name that is none (`missing`): their turns run without its tools. */
export const McpServers = z.object({
  servers: z.array(McpServer),
  missing: z.array(McpServer.pick({ server: true, agents: true }))
})
export type McpServers = z.infer<typeof McpServers>

/**
 * A tool of a server as it is accepted here, since when and by whom (absent: it was the first that was seen). Without
 * `acceptedAt` it is new: no agent has it before an editor accepts it. `offered`: the definition that the server lists by now,
 * by its digest, and what is different in it; nothing of a new tool.
 */
export const McpServerTool = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: JsonSchema,
  acceptedAt: Time.optional(),
  acceptedBy: z.string().optional(),
  offered: z.object({ digest: z.string(), changes: z.array(ConfigChange) }).optional()
})
export type McpServerTool = z.infer<typeof McpServerTool>

/** A server with all that it offered when it was last listed. */
export const McpServerOffer = McpServer.extend({
  offers: z.array(McpServerTool),
  resources: z.boolean(),
  prompts: z.boolean()
})
export type McpServerOffer = z.infer<typeof McpServerOffer>

export const ListMcpServers = z.object({})
export const InMcpServer = z.object({ server: z.string().min(1).max(128) })
export type InMcpServer = z.infer<typeof InMcpServer>
export const AcceptMcpTool = InMcpServer.extend({
  tool: z.string().min(1).max(128),
  digest: z.string().length(64)
})
export type AcceptMcpTool = z.infer<typeof AcceptMcpTool>

/** A definition that takes the place of the one that was accepted, once somebody accepts it (001-19). */
export type ToolChange = { integration: string; service: string; before: McpTool; after: McpTool }
