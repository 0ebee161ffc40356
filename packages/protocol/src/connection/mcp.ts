import { JsonSchema } from '@waystation/protocol/agent/agent.ts'
import { ConfigChange } from '@waystation/protocol/agent/comparison.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/**
 * A tool as an MCP server describes it: untrusted text, cut to a maximum length. Its annotations are dropped, because
 * nothing relies on them.
 */
export type McpTool = {
  name: string
  title?: string
  description: string
  inputSchema: JsonSchema
  /** Set on our own tools for features of a server that are not tools. */
  does?: McpUse
}

/** Features of an MCP server besides tools. */
export type McpUse = 'list_resources' | 'read_resource' | 'list_prompts' | 'get_prompt'

/**
 * A tool with the definition that was accepted. `offered` is a newer definition that no one has accepted yet. `isNew`
 * marks a tool that the server added later: no agent can use it before an editor accepts it.
 */
export type AcceptedMcpTool = McpTool & { offered?: McpTool; isNew?: true }

/** The tools of an MCP server for one session. `tools` is undefined until they have been listed once. */
export type McpListing = {
  integration: string
  slug: string
  service: string
  url: string
  /** True for a program on this machine: `integration` is its name, and `url` only identifies its version. */
  program?: true
  tools: AcceptedMcpTool[] | undefined
}

/**
 * The result of a check: `ok` (it listed its tools), `failed`, or `account` (it needs an account, and none was
 * connected).
 */
export const CheckedState = z.enum(['ok', 'failed', 'account'])
export type CheckedState = z.infer<typeof CheckedState>

/**
 * The last check: when, and how many milliseconds it took. `unchecked`: not checked since its configuration changed.
 */
export const McpHealth = z.discriminatedUnion('state', [
  z.object({ state: z.literal('unchecked') }),
  z.object({ state: CheckedState, at: Time, tookMs: z.int(), error: z.string().optional() })
])
export type McpHealth = z.infer<typeof McpHealth>

/**
 * An MCP server that agents of this workspace can use: a URL, or a program on this machine.
 * - `about`: its URL without the query, or the operator's description of the program
 * - `changed`: the number of tools whose definition differs from the accepted one
 * - `added`: the number of new tools, which agents can use only after an editor accepts them
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

/** `missing` lists servers that agents name but that do not exist. Turns run without their tools. */
export const McpServers = z.object({
  servers: z.array(McpServer),
  missing: z.array(McpServer.pick({ server: true, agents: true }))
})
export type McpServers = z.infer<typeof McpServers>

/**
 * A tool of a server with its accepted definition. `acceptedBy` is absent if the tool was in the first listing. Without
 * `acceptedAt` the tool is new, and no agent can use it before an editor accepts it. `offered` describes a newer
 * definition; new tools have none.
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

/** A server with everything in its last listing. */
export const McpServerOffer = McpServer.extend({
  offers: z.array(McpServerTool),
  resources: z.boolean(),
  prompts: z.boolean()
})
export type McpServerOffer = z.infer<typeof McpServerOffer>

export const ListMcpServers = z.object({})
export const InMcpServer = z.object({ server: z.string().min(1).max(128) })
export type InMcpServer = z.infer<typeof InMcpServer>
/** Accepts the definition that the server offers now. `digest` identifies the definition that the user reviewed. */
export const AcceptMcpTool = InMcpServer.extend({
  tool: z.string().min(1).max(128),
  digest: z.string().length(64)
})
export type AcceptMcpTool = z.infer<typeof AcceptMcpTool>

/** A new definition that replaces the accepted one when a user accepts it (001-19). */
export type ToolChange = { integration: string; service: string; before: McpTool; after: McpTool }

/** The address of an MCP server that is not saved. */
export const InspectMcpServer = z.object({ url: z.url({ protocol: /^https?$/ }).max(2000) })
export type InspectMcpServer = z.infer<typeof InspectMcpServer>

/**
 * The name and tools that an MCP server reports without an account. `account`: it requires one. `error` is a sentence, and further
 * lines are the server's own text.
 */
export const McpInspection = z.object({
  state: CheckedState,
  tookMs: z.int(),
  name: z.string().optional(),
  tools: z.array(z.object({ name: z.string(), title: z.string().optional(), description: z.string() })),
  error: z.string().optional()
})
export type McpInspection = z.infer<typeof McpInspection>
