import { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import { RenderHint } from '@waystation/protocol/call/call.ts'
import { httpRequestTool } from '@waystation/protocol/call/tool-names.ts'
import { ToolSettings } from '@waystation/protocol/call/tool-settings.ts'
import { ConnectionName } from '@waystation/protocol/connection/connection.ts'
import { Duration } from '@waystation/protocol/duration.ts'
import { ActiveItemPolicy } from '@waystation/protocol/external-agent/active-item.ts'
import { UnmaskedUrl } from '@waystation/protocol/external-agent/mask-url.ts'
import { OobDefaults } from '@waystation/protocol/out-of-band/oob-settings.ts'
import { schemaProblem } from '@waystation/protocol/plugin/schema-size.ts'
import { Time } from '@waystation/protocol/time.ts'
import { WikiName } from '@waystation/protocol/wiki/wiki.ts'
import { z } from 'zod'
import { Embed, referenceLabel } from './embed.ts'
import { maxHandOffIdChars } from './hand-off.ts'
import { HttpService } from './http-service.ts'

export const AgentId = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, 'use only letters, digits, - and _')

/**
 * A JSON Schema, stored unchanged. Only its size is checked here. Code that accepts a schema must also call
 * `checkSchemas` (`ports.schemas`), which compiles it.
 */
export const JsonSchema = z.record(z.string(), z.unknown()).check(({ value, issues }) => {
  const message = schemaProblem(value)
  if (message !== undefined) issues.push({ code: 'custom', message, input: value, continue: false })
})
export type JsonSchema = z.infer<typeof JsonSchema>

/** The schema of a tool's arguments. Its type must be `object`. */
export const InputSchema = JsonSchema.refine(schema => schema.type === 'object', 'must have "type": "object"')

/** `ask`: a person approves each call before it runs. `auto`: the call runs at once. */
export const ApprovalMode = z.enum(['ask', 'auto'])

const toolName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, 'use only letters, digits, - and _')
const deadlineSeconds = z
  .int()
  .min(10)
  .max(30 * 86400)

/** The tool that starts a sub-agent (001-16). */
export const spawnTool = 'spawn-agent'

/** A tool of this server, enabled for the agent by name. */
export const BuiltInTool = z
  .strictObject({
    name: toolName,
    approval: ApprovalMode.optional(),
    /** The users who can answer requests from this tool. Absent: the agent's policy. */
    answer: AnswerPolicy.optional(),
    timeoutSeconds: z.number().min(1).max(3600).optional(),
    deadlineSeconds: deadlineSeconds.optional(),
    /** How many later steps the results stay in the prompt (001-7). Absent: forever. */
    duration: Duration.optional(),
    /** For `spawn-agent` only: agents of the workspace that it can start besides a copy of itself (001-16). */
    agents: z.array(AgentId).min(1).max(32).optional(),
    /** For tools that use wikis: the wikis they can use. Absent: all wikis of the workspace. */
    wikis: z.array(WikiName).max(50).optional(),
    /** For `http-request` only, which requires it: the services that it can reach. */
    services: z.array(HttpService).min(1).max(20).optional()
  })
  .refine(({ name, agents }) => agents === undefined || name === spawnTool, {
    path: ['agents'],
    error: `only ${spawnTool} can have this field`
  })
  .refine(({ name, services }) => services === undefined || name === httpRequestTool, {
    path: ['services'],
    error: `only ${httpRequestTool} can have this field`
  })
  .refine(({ name, services }) => services !== undefined || name !== httpRequestTool, {
    path: ['services'],
    error: 'add a service, such as {"integration": "github"}'
  })
export type BuiltInTool = z.infer<typeof BuiltInTool>

/** A tool whose calls an external HTTP service answers, at once or days later (api.md "External tools"). */
export const ExternalTool = z.strictObject({
  name: toolName,
  where: z.literal('external'),
  /** Display name of the service, such as "Acme dispatcher". */
  title: z.string().trim().min(1).max(80).optional(),
  description: z.string().max(4000),
  inputSchema: InputSchema,
  outputSchema: JsonSchema.optional(),
  url: UnmaskedUrl,
  approval: ApprovalMode.optional(),
  /** The users who can approve its calls. Absent: the agent's policy. */
  answer: AnswerPolicy.optional(),
  deadlineSeconds: deadlineSeconds.optional(),
  retries: z.int().min(0).max(10).default(0),
  /** How many later steps the results stay in the prompt (001-7). Absent: forever. */
  duration: Duration.optional()
})
export type ExternalTool = z.infer<typeof ExternalTool>

/**
 * A tool that is defined elsewhere (docs/embeds.md). The embed is resolved before a turn starts. The other fields
 * override those of the embedded tool.
 */
export const EmbeddedTool = z.strictObject({
  '@ag.embed': Embed,
  name: toolName.optional(),
  approval: ApprovalMode.optional(),
  answer: AnswerPolicy.optional(),
  deadlineSeconds: deadlineSeconds.optional()
})
export type EmbeddedTool = z.infer<typeof EmbeddedTool>

/**
 * The tools of a remote MCP server (docs/mcp.md): integration `mcp`, connection `slug` (default: the integration's
 * name). A person approves each call unless `approval` is `auto`. The server's annotations do not matter.
 */
export const McpTools = z.strictObject({
  mcp: ConnectionName,
  slug: ConnectionName.optional(),
  /** Only these tools, by the server's names. Absent: all tools. */
  tools: z.array(z.string().min(1).max(128)).max(128).optional(),
  approval: ApprovalMode.optional(),
  answer: AnswerPolicy.optional(),
  timeoutSeconds: z.number().min(1).max(3600).optional(),
  /** How many later steps the results stay in the prompt (001-7). Absent: forever. */
  duration: Duration.optional()
})
export type McpTools = z.infer<typeof McpTools>

/**
 * The tools of a gRPC plugin (docs/plugins-grpc.md). `*` means the tools of all plugins of the workspace, in the order
 * of the plugins. A person approves each call unless `approval` is `auto`.
 */
export const PluginTools = z.strictObject({
  plugin: z.string().min(1).max(100),
  /** Only these tools, by the plugin's names. Absent: all tools. */
  tools: z.array(z.string().min(1).max(64)).max(128).optional(),
  approval: ApprovalMode.optional(),
  answer: AnswerPolicy.optional(),
  timeoutSeconds: z.number().min(1).max(3600).optional(),
  /** How many later steps the results stay in the prompt (001-7). Absent: forever. */
  duration: Duration.optional()
})
export type PluginTools = z.infer<typeof PluginTools>

/** A tool in an agent's configuration, before embeds are resolved. */
export const AgentTool = z.union([ExternalTool, EmbeddedTool, McpTools, PluginTools, BuiltInTool])
export type AgentTool = z.infer<typeof AgentTool>

/** Returns the display name of an unresolved tool: its name, or else the reference of its embed. */
export function agentToolName(tool: AgentTool): string {
  if ('mcp' in tool) return `${tool.mcp}__*`
  if ('plugin' in tool) return tool.tools?.join(', ') ?? `all of ${tool.plugin}`
  return '@ag.embed' in tool ? (tool.name ?? referenceLabel(tool['@ag.embed']['@ag.references'])) : tool.name
}

/**
 * A tool that runs no code (002-7): the browser fulfills its calls with the widget that `render` names. Agents get it
 * only through an embed. If `render.kind` is "connect", its calls ask for a connection.
 */
export const ReferenceTool = z.strictObject({
  name: toolName,
  where: z.literal('browser'),
  title: z.string().trim().min(1).max(80).optional(),
  description: z.string().max(4000),
  inputSchema: InputSchema,
  outputSchema: JsonSchema,
  render: RenderHint,
  approval: ApprovalMode.optional(),
  answer: AnswerPolicy.optional(),
  deadlineSeconds: deadlineSeconds.optional(),
  /** How many later steps the results stay in the prompt (001-7). Absent: forever. */
  duration: Duration.optional()
})
export type ReferenceTool = z.infer<typeof ReferenceTool>

/** A tool whose embed is resolved, as a turn uses it. */
export const RunnableTool = z.union([ExternalTool, ReferenceTool, McpTools, PluginTools, BuiltInTool])
export type RunnableTool = z.infer<typeof RunnableTool>

/** A text for the model that is defined elsewhere. The embed selects the text itself, or an object `{name?, text}`. */
export const EmbeddedSkill = z.strictObject({ '@ag.embed': Embed, name: z.string().max(120).optional() })
export type EmbeddedSkill = z.infer<typeof EmbeddedSkill>

/** Limits of one turn. The database counts steps and cost since the last user input (docs/concepts/engine.md#steps). */
export const Limits = z.strictObject({
  stepsPerTurn: z.int().min(1).max(1000).default(25),
  usdPerTurn: z.number().min(0).max(10_000).default(1),
  /**
   * The size of the model's context in tokens, estimated by the heuristic and corrected by what the provider reports
   * (001-17). Compaction starts at 80 % of it.
   */
  contextTokens: z.int().min(1000).max(10_000_000).default(120_000)
})
export type Limits = z.infer<typeof Limits>

/** An in-process plugin (docs/plugins.md) that is enabled for this agent. Plugins run in the order of this list. */
export const AgentPlugin = z.strictObject({
  name: z.string().min(1).max(64),
  /** Configuration for the plugin, which validates it. */
  config: z.record(z.string(), z.unknown()).optional(),
  /** If the plugin fails at a hook that can cancel: `continue` without it, or `stop` what it should have checked. */
  onFailure: z.enum(['continue', 'stop']).default('continue')
})
export type AgentPlugin = z.infer<typeof AgentPlugin>

const HandlerId = z
  .string()
  .max(130)
  .regex(/^(chat|[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*)$/, 'must be "chat" or "<plugin>/<handler>"')

/** How much a model reasons before it answers. Each provider translates it, or ignores it. */
export const ReasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])

/**
 * Options of model providers by their package's name for itself, such as `{anthropic: {serviceTier: 'priority'}}`.
 * They are sent as they are.
 */
export const ProviderOptions = z
  .record(z.string().max(40), z.record(z.string().max(80), z.unknown()))
  .refine(options => JSON.stringify(options).length <= 16_384, 'must be at most 16384 characters of JSON')

/**
 * Parameters of the model's answers. Absent: the provider's default. A model that does not support one ignores it.
 * `maxOutputTokens` limits the answer of one step, and `reasoningBudget` the tokens that the model reasons with.
 */
export const ModelParameters = z
  .strictObject({
    temperature: z.number().min(0).max(2).optional(),
    topP: z.number().min(0).max(1).optional(),
    maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
    seed: z.int().min(0).max(2_147_483_647).optional(),
    reasoning: ReasoningEffort.optional(),
    reasoningBudget: z.int().min(1).max(1_000_000).optional(),
    providerOptions: ProviderOptions.optional()
  })
  .refine(({ reasoning, reasoningBudget }) => reasoning === undefined || reasoningBudget === undefined, {
    path: ['reasoningBudget'],
    error: 'set an effort or a budget, not both'
  })
export type ModelParameters = z.infer<typeof ModelParameters>

/** The configuration of a chat agent. */
export const ChatConfig = z.strictObject({
  /** `provider/model`, or `default`: OpenAI if a key is set, else the demo model. */
  model: z.string().min(1).max(200).default('default'),
  parameters: ModelParameters.optional(),
  /**
   * The handler of the agent's steps (001-2): `chat` (default), which calls the model, or a handler of an in-process
   * plugin, as `<plugin>/<handler>`.
   */
  handler: HandlerId.optional(),
  /** Can contain embeds as text. */
  instructions: z.string().max(100_000).default(''),
  tools: z.array(AgentTool).max(128).default([]),
  /** Texts that are appended to the instructions. */
  skills: z.array(EmbeddedSkill).max(32).optional(),
  plugins: z.array(AgentPlugin).max(32).optional(),
  /** Agents of the workspace that can take over a conversation. Each becomes a tool, `handoff_to_<agent>` (003-11). */
  handoffs: z
    .array(
      AgentId.max(
        maxHandOffIdChars,
        `the ID of a handoff agent can have at most ${maxHandOffIdChars} characters`
      )
    )
    .max(32)
    .optional(),
  /** The users who can answer requests from its tools. The policy of a tool replaces this one. */
  answer: AnswerPolicy.optional(),
  limits: Limits.prefault({}),
  /** Time limits and concurrency of calls, and retries of model calls. They override the workspace's settings. */
  toolSettings: ToolSettings.optional(),
  /**
   * The author of the summary of messages that leave the prompt (001-17). `model` (default): the agent's model.
   * `words`: the start of each user message, at no cost.
   */
  compaction: z.enum(['model', 'words']).optional(),
  /**
   * If the model accepts a user message directly after tool results. Default: derived from the model's name. If false,
   * such messages are appended to the last result (004-9).
   */
  userAfterTools: z.boolean().optional(),
  /** If the model reads images and documents (PDF). Default: derived from its provider and name. */
  attachments: z.strictObject({ images: z.boolean().optional(), files: z.boolean().optional() }).optional(),
  /**
   * `native` (default): the provider's tool calling. `text`: the model writes calls as text, in a syntax that the
   * prompt explains (001-14).
   */
  toolCalling: z.enum(['native', 'text']).optional(),
  /**
   * If sessions that owners and editors start in the playground have the build kit (002-8). Absent: the workspace's
   * setting.
   */
  buildKit: z.enum(['on', 'off']).optional(),
  price: z
    .strictObject({ inputPerMillion: z.number().min(0), outputPerMillion: z.number().min(0) })
    .optional(),
  /** Prompts that an empty session offers as buttons. Absent: three are derived from the tools. */
  starters: z
    .array(z.strictObject({ label: z.string().max(80), text: z.string().max(2000) }))
    .max(6)
    .optional()
})
export type ChatConfig = z.infer<typeof ChatConfig>

/**
 * The configuration of a chat agent as a turn runs it: embeds are resolved, and skills are part of the instructions.
 */
export type RunnableChat = Omit<ChatConfig, 'tools' | 'skills'> & { tools: readonly RunnableTool[] }

/**
 * An external agent (000-3). The server sends each user message to `inputUrl`. Replies arrive at a callback URL at any
 * time and in any number. `callbackBaseUrl` defaults to this server's public origin.
 */
export const ExternalConfig = z.strictObject({
  inputUrl: UnmaskedUrl,
  callbackBaseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Endpoint that says which conversations the agent knows (000-22). Absent: the server does not ask. */
  checkUrl: UnmaskedUrl.optional(),
  /** How many times a failed delivery is retried (000-10: none). */
  retries: z.int().min(0).max(10).default(0),
  /** How often the agent receives the content of an active item (000-21). Default: `onChange`. */
  activeItem: ActiveItemPolicy.optional(),
  /** Names of fields that are removed from this content, at any depth. Case does not matter. */
  redact: z.array(z.string().trim().min(1).max(100)).max(50).optional(),
  /** How many earlier messages the agent receives with the first message of a session. Default: 0. */
  history: z.int().min(0).max(50).optional()
})
export type ExternalConfig = z.infer<typeof ExternalConfig>

const ofEveryAgent = {
  agentId: AgentId,
  displayName: z.string().trim().min(1).max(120),
  description: z.string().max(2000).optional(),
  /** The policy of its sessions for out-of-band messages, and when these expire. Absent values: the workspace's. */
  outOfBand: OobDefaults.optional()
}

/**
 * Returns the schema of an agent with more fields. An agent is a chat agent (default) or an external agent, never both.
 */
const agentWith = <More extends z.ZodRawShape>(more: More) =>
  z.discriminatedUnion('type', [
    z.strictObject({
      ...ofEveryAgent,
      type: z.literal('chat').default('chat'),
      chat: ChatConfig.prefault({}),
      ...more
    }),
    z.strictObject({ ...ofEveryAgent, type: z.literal('external'), external: ExternalConfig, ...more })
  ])

/** An agent's configuration as stored. */
export const AgentConfig = agentWith({})
export type AgentConfig = z.infer<typeof AgentConfig>
/** `revision` counts published changes, starting at 1. */
export const Agent = agentWith({ revision: z.int().min(1), updatedAt: Time })
export type Agent = z.infer<typeof Agent>

/** True for a tool of this server, which is configured by name only. */
export const isBuiltIn = (tool: object): tool is BuiltInTool =>
  !('@ag.embed' in tool || 'mcp' in tool || 'plugin' in tool || 'where' in tool)

/**
 * Tools and skills that a playground adds to an agent in the runs of one session (002-8), and the session's handler.
 * They are never saved to the agent.
 */
export const AgentOverlay = z.strictObject({
  tools: z.array(AgentTool).max(128).default([]),
  skills: z.array(EmbeddedSkill).max(32).default([]),
  /** Replaces the agent's handler in this session. */
  handler: HandlerId.optional()
})
export type AgentOverlay = z.infer<typeof AgentOverlay>

const AdditionalContext = z.strictObject({
  playground_build_kit: z.strictObject({ agent_template_overlay: AgentOverlay })
})

/** An agent with its context, which is not part of its configuration. Only a chat agent has context. */
export const AgentInContext = agentWith({
  revision: z.int().min(1),
  updatedAt: Time,
  additional_context: AdditionalContext.optional()
})
export type AgentInContext = z.infer<typeof AgentInContext>

export type ChatAgent = Extract<AgentConfig, { type: 'chat' }>
export type ExternalAgent = Extract<AgentConfig, { type: 'external' }>

export const ListAgents = z.object({})
export type ListAgents = z.infer<typeof ListAgents>

export const InAgent = z.object({ agentId: z.string().max(64) })
export type InAgent = z.infer<typeof InAgent>

export const CreateAgent = AgentConfig
export type CreateAgent = AgentConfig

/**
 * A complete configuration, as `GET` returned it and the client changed it. `revision` is the one that the client
 * started from. Without it, newer changes are overwritten. `updatedAt` and `additional_context` are ignored.
 */
export const UpdateAgent = agentWith({
  revision: z.int().min(1).optional(),
  updatedAt: z.string().optional(),
  additional_context: z.unknown().optional()
})
export type UpdateAgent = z.infer<typeof UpdateAgent>
