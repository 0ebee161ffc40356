import { z } from 'zod'
import { AnswerPolicy } from '#lib/protocol/call/answerers.ts'
import { RenderHint } from '#lib/protocol/call/call.ts'
import { ToolSettings } from '#lib/protocol/call/tool-settings.ts'
import { ConnectionName } from '#lib/protocol/connection/connection.ts'
import { Duration } from '#lib/protocol/duration.ts'
import { ActiveItemPolicy } from '#lib/protocol/external-agent/active-item.ts'
import { WholeAddress } from '#lib/protocol/external-agent/cut-address.ts'
import { OobDefaults } from '#lib/protocol/out-of-band/oob-defaults.ts'
import { schemaTooLarge } from '#lib/protocol/plugin/schema-size.ts'
import { Time } from '#lib/protocol/time.ts'
import { WikiName } from '#lib/protocol/wiki/wiki.ts'
import { Embed, referenceWords } from './embed.ts'
import { longestHandOff } from './hand-off.ts'

export const AgentId = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, 'use only letters, digits, - and _')

/**
 * A JSON Schema, kept as it was given. Whether values can be checked by it is told by `ports.schemas`, which whoever takes one
 * in asks (`checkSchemas`).
 */
export const JsonSchema = z.record(z.string(), z.unknown()).check(({ value, issues }) => {
  const message = schemaTooLarge(value)
  if (message !== undefined) issues.push({ code: 'custom', message, input: value, continue: false })
})
export type JsonSchema = z.infer<typeof JsonSchema>

/** The schema of a tool's arguments: always an object. */
export const InputSchema = JsonSchema.refine(schema => schema.type === 'object', 'must have "type": "object"')

/** `ask`: a person approves each call before it runs; `auto`: it runs at once. */
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

/** The tool by which an agent has another one do a part of its work (001-16). */
export const spawnTool = 'spawn-agent'

/** A tool that the server brings, switched on for this agent. */
export const BuiltInTool = z
  .strictObject({
    name: toolName,
    approval: ApprovalMode.optional(),
    /** Who may answer what it asks of people; absent: as its agent says. */
    answer: AnswerPolicy.optional(),
    timeoutSeconds: z.number().min(1).max(3600).optional(),
    deadlineSeconds: deadlineSeconds.optional(),
    /** For how many later rounds what it brings stays in the prompt (001-7); absent: for ever. */
    duration: Duration.optional(),
    /** Of `spawn-agent`: the agents of the workspace that it may have work for it, beside its own like (001-16). */
    agents: z.array(AgentId).min(1).max(32).optional(),
    /** Of a tool that reads wikis: only those of these names; absent: all of the workspace. */
    wikis: z.array(WikiName).max(50).optional()
  })
  .refine(({ name, agents }) => agents === undefined || name === spawnTool, {
    path: ['agents'],
    error: `only ${spawnTool} can have this field`
  })
export type BuiltInTool = z.infer<typeof BuiltInTool>

/** A tool that another system answers, today or in three days (api.md "External tools"). */
export const ExternalTool = z.strictObject({
  name: toolName,
  where: z.literal('external'),
  /** What people call the system behind it: "Acme dispatcher". */
  title: z.string().trim().min(1).max(80).optional(),
  description: z.string().max(4000),
  inputSchema: InputSchema,
  outputSchema: JsonSchema.optional(),
  url: WholeAddress,
  approval: ApprovalMode.optional(),
  /** Who may approve it; absent: as its agent says. */
  answer: AnswerPolicy.optional(),
  deadlineSeconds: deadlineSeconds.optional(),
  retries: z.int().min(0).max(10).default(0),
  /** For how many later rounds what it brings stays in the prompt (001-7); absent: for ever. */
  duration: Duration.optional()
})
export type ExternalTool = z.infer<typeof ExternalTool>

/**
 * A tool that stands elsewhere (docs/embeds.md): the embed is resolved before a turn begins. What stands beside it wins over
 * what the tool says of itself.
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
 * The tools of a remote MCP server (docs/mcp.md), by its integration and the connection under `slug`; the integration's name
 * unless it says another. A person approves each call unless `approval` is `auto`, whatever the server says of its tools.
 */
export const McpTools = z.strictObject({
  mcp: ConnectionName,
  slug: ConnectionName.optional(),
  /** Only these, by the server's own names; absent: all. */
  tools: z.array(z.string().min(1).max(128)).max(128).optional(),
  approval: ApprovalMode.optional(),
  answer: AnswerPolicy.optional(),
  timeoutSeconds: z.number().min(1).max(3600).optional(),
  /** For how many later rounds what it brings stays in the prompt (001-7); absent: for ever. */
  duration: Duration.optional()
})
export type McpTools = z.infer<typeof McpTools>

/**
 * The tools of a plugin in another language (docs/plugins-grpc.md): of the one of this name, or with `*` of any that its workspace
 * has, in their order. A person approves each call unless `approval` is `auto`.
 */
export const PluginTools = z.strictObject({
  plugin: z.string().min(1).max(100),
  /** Only these, by the plugin's own names; absent: all. */
  tools: z.array(z.string().min(1).max(64)).max(128).optional(),
  approval: ApprovalMode.optional(),
  answer: AnswerPolicy.optional(),
  timeoutSeconds: z.number().min(1).max(3600).optional(),
  /** For how many later rounds what it brings stays in the prompt (001-7); absent: for ever. */
  duration: Duration.optional()
})
export type PluginTools = z.infer<typeof PluginTools>

export const AgentTool = z.union([ExternalTool, EmbeddedTool, McpTools, PluginTools, BuiltInTool])
export type AgentTool = z.infer<typeof AgentTool>

/** What a list calls a tool that is not resolved: its name, else what its embed refers to. */
export function agentToolName(tool: AgentTool): string {
  if ('mcp' in tool) return `${tool.mcp}__*`
  if ('plugin' in tool) return tool.tools?.join(', ') ?? `all of ${tool.plugin}`
  return '@ag.embed' in tool ? (tool.name ?? referenceWords(tool['@ag.embed']['@ag.references'])) : tool.name
}

/**
 * A tool with nothing to run (002-7): the browser fulfils it with the widget that `render` names. Agents get one by an embed
 * only. With `render.kind` "connect" its calls are connections.
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
  /** For how many later rounds what it brings stays in the prompt (001-7); absent: for ever. */
  duration: Duration.optional()
})
export type ReferenceTool = z.infer<typeof ReferenceTool>

/** A tool as a turn has it: its embed is resolved. */
export const RunnableTool = z.union([ExternalTool, ReferenceTool, McpTools, PluginTools, BuiltInTool])
export type RunnableTool = z.infer<typeof RunnableTool>

/** A text for the model that stands elsewhere: the embed selects the text, or `{name?, text}`. */
export const EmbeddedSkill = z.strictObject({ '@ag.embed': Embed, name: z.string().max(120).optional() })
export type EmbeddedSkill = z.infer<typeof EmbeddedSkill>

/** Caps of one turn, counted in the database since the last new input of a person (docs/concepts/engine.md#steps). */
export const Limits = z.strictObject({
  stepsPerTurn: z.int().min(1).max(1000).default(25),
  usdPerTurn: z.number().min(0).max(10_000).default(1),
  /** The model's context, in tokens: by the heuristic, corrected by what its provider reports (001-17). The prompt window moves
   * at 80 % of it. */
  contextTokens: z.int().min(1000).max(10_000_000).default(120_000)
})
export type Limits = z.infer<typeof Limits>

/** A plugin of this server (docs/plugins.md), switched on for this agent; they run in the order in which they stand here. */
export const AgentPlugin = z.strictObject({
  name: z.string().min(1).max(64),
  /** What it may be told: its own to say. */
  config: z.record(z.string(), z.unknown()).optional(),
  /** What becomes of what it should judge and cannot: `continue` as it is, or `stop`. */
  onFailure: z.enum(['continue', 'stop']).default('continue')
})
export type AgentPlugin = z.infer<typeof AgentPlugin>

export const ChatConfig = z.strictObject({
  /** `provider/model`, or `default`: OpenAI when a key is set, else the demo model. */
  model: z.string().min(1).max(200).default('default'),
  /** May hold embeds as text. */
  instructions: z.string().max(100_000).default(''),
  tools: z.array(AgentTool).max(128).default([]),
  /** Texts that the model is given behind the instructions. */
  skills: z.array(EmbeddedSkill).max(32).optional(),
  plugins: z.array(AgentPlugin).max(32).optional(),
  /** The agents of the workspace that it may hand a conversation to: a tool each, `handoff_to_<agent>` (003-11). */
  handoffs: z
    .array(
      AgentId.max(longestHandOff, `the ID of a handoff agent can have at most ${longestHandOff} characters`)
    )
    .max(32)
    .optional(),
  /** Who may answer what its tools ask of people, unless a tool says otherwise: then only that counts. */
  answer: AnswerPolicy.optional(),
  limits: Limits.prefault({}),
  /** How long its calls may run, how many at once, and how a failed model call is tried again, where not as its workspace says. */
  toolSettings: ToolSettings.optional(),
  /** Who writes the summary of what leaves the prompt (001-17): the agent's own `model`, if nothing is said, or `words`: the
   * first words of what people asked, which costs nothing. */
  compaction: z.enum(['model', 'words']).optional(),
  /** Whether the model takes a user message right behind tool results; absent: known by its name. Told false, what comes then
   * is written into the last result (004-9). */
  userAfterTools: z.boolean().optional(),
  /** Whether the model looks at images, and reads documents (PDF), that people attach; absent: known by its provider and name. */
  attachments: z.strictObject({ images: z.boolean().optional(), files: z.boolean().optional() }).optional(),
  /** How the model calls tools: `native`, by its provider's tool calling, if nothing is said; or `text`, for a model without it:
   * it writes its calls in words, in a syntax that it is told of (001-14). */
  toolCalling: z.enum(['native', 'text']).optional(),
  price: z
    .strictObject({ inputPerMillion: z.number().min(0), outputPerMillion: z.number().min(0) })
    .optional(),
  /** Three one-click prompts for an empty session; absent: drawn from the tools. */
  starters: z
    .array(z.strictObject({ label: z.string().max(80), text: z.string().max(2000) }))
    .max(6)
    .optional()
})
export type ChatConfig = z.infer<typeof ChatConfig>

/** A chat agent's configuration as a turn runs it: no embed is left, and its skills stand in its instructions. */
export type RunnableChat = Omit<ChatConfig, 'tools' | 'skills'> & { tools: readonly RunnableTool[] }

/**
 * Another system that speaks for itself (000-3): a person's message is sent to `inputUrl`, replies come to a callback
 * under `callbackBaseUrl` (this server's public origin when it is left out), at any time and as many as it likes.
 */
export const ExternalConfig = z.strictObject({
  inputUrl: WholeAddress,
  callbackBaseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** How many more tries after one that failed (000-10: none). */
  retries: z.int().min(0).max(10).default(0),
  /** How often it gets the content of what a person sends along (000-21); `onChange` if nothing is said. */
  activeItem: ActiveItemPolicy.optional(),
  /** Names of fields whose values it never gets of that content, at any depth, in any case of letters. */
  redact: z.array(z.string().trim().min(1).max(100)).max(50).optional()
})
export type ExternalConfig = z.infer<typeof ExternalConfig>

const ofEveryAgent = {
  agentId: AgentId,
  displayName: z.string().trim().min(1).max(120),
  description: z.string().max(2000).optional(),
  /** When out-of-band messages to its sessions expire; absent: as its workspace says. */
  outOfBand: OobDefaults.optional()
}

/** An agent's shape with more fields: a chat agent (the default), or an external one, and never a bit of both. */
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

/** An agent as its workspace configures it. `revision` counts its saved changes from 1. */
export const AgentConfig = agentWith({})
export type AgentConfig = z.infer<typeof AgentConfig>
export const Agent = agentWith({ revision: z.int().min(1), updatedAt: Time })
export type Agent = z.infer<typeof Agent>

/** Whether a tool is one of this server's, which is named and nothing else. */
export const isBuiltIn = (tool: object): tool is BuiltInTool =>
  !('@ag.embed' in tool || 'mcp' in tool || 'plugin' in tool || 'where' in tool)

/** What a playground lays over an agent's configuration in a session's runs, and what is never saved (002-8). */
export const AgentOverlay = z.strictObject({
  tools: z.array(AgentTool).max(128).default([]),
  skills: z.array(EmbeddedSkill).max(32).default([])
})
export type AgentOverlay = z.infer<typeof AgentOverlay>

const AdditionalContext = z.strictObject({
  playground_build_kit: z.strictObject({ agent_template_overlay: AgentOverlay })
})

/** An agent with what goes along with it, which is no part of it. Only a chat agent has that. */
export const AgentInContext = agentWith({
  revision: z.int().min(1),
  updatedAt: Time,
  additional_context: AdditionalContext.optional()
})
export type AgentInContext = z.infer<typeof AgentInContext>

export type ChatAgent = Extract<AgentConfig, { type: 'chat' }>

export const ListAgents = z.object({})
export type ListAgents = z.infer<typeof ListAgents>

export const InAgent = z.object({ agentId: z.string().max(64) })
export type InAgent = z.infer<typeof InAgent>

export const CreateAgent = AgentConfig
export type CreateAgent = AgentConfig

/**
 * A whole configuration, as `GET` gave it and somebody changed it. `revision` is the one they started from; without
 * it the newest is replaced unseen. `updatedAt` and `additional_context` are read past.
 */
export const UpdateAgent = agentWith({
  revision: z.int().min(1).optional(),
  updatedAt: z.string().optional(),
  additional_context: z.unknown().optional()
})
export type UpdateAgent = z.infer<typeof UpdateAgent>
