import { jsonSchema, tool as sdkTool, type ToolSet } from 'ai'
import { z } from 'zod'
import type { Ports } from '#lib/kernel/ctx.ts'
import type {
  BuiltInTool,
  ExternalTool,
  JsonSchema,
  ReferenceTool,
  RunnableTool
} from '#lib/protocol/agent/agent.ts'
import { commitRevisionTool } from '#lib/protocol/agent/own-config.ts'
import type { AnswerPolicy } from '#lib/protocol/call/answerers.ts'
import type { CallKind, CallWhere, OnDeadline, RenderHint } from '#lib/protocol/call/call.ts'
import { reviewersOf } from '#lib/protocol/call/reviewers.ts'
import type { ToolChange } from '#lib/protocol/connection/mcp.ts'
import type { ClientTool } from '#lib/protocol/session/session.ts'
import { acknowledge } from './acknowledge.ts'
import { type CheckBySchema, fitArguments } from './fit-arguments.ts'
import type { SourcedTools } from './registry.ts'
import type { Tool } from './tool.ts'

/** A tool of one session, with its agent's settings: what a call of it freezes when it is opened. */
export type ResolvedTool = {
  name: string
  description: string
  inputSchema: JsonSchema
  outputSchema: (input: unknown) => JsonSchema | undefined
  where: CallWhere
  /** The kind a call of it opens as. An approval comes first whatever the tool is. */
  kind: CallKind
  render?: RenderHint
  title: (input: unknown) => string | undefined
  /** Seconds it may run, by its agent's word; absent: by its own, else as the settings say. */
  timeoutSeconds?: number
  deadlineSeconds?: number
  /** For how many rounds what it brings stays in the prompt, by its agent's word; absent: for ever. */
  duration?: number
  onDeadline?: OnDeadline
  /** Who may answer what it asks of people. */
  answer?: AnswerPolicy
  repeatable: boolean
  /** Of an MCP server's tool: its server's address, or its program. */
  address?: string
  /** Only of external tools: where an opened call is announced. */
  url?: string
  retries: number
  server?: Tool
  /** True: somebody else wrote its schema, and that checks its arguments. */
  foreign?: true
  /** The wikis that it may read; absent: all of the workspace. */
  wikis?: readonly string[]
  /** Of an MCP server's tool that is not what was accepted: what it is offered as by now. */
  change?: ToolChange
  /** True: the model is not told of it; only a call that was made before can run. */
  hidden?: true
  /** Why it is not run here. */
  off?: string
  alwaysAsked?: true
}

export type ResolvedTools = ReadonlyMap<string, ResolvedTool>

/** The server's own wiki tools among these, each with the wikis that it can read; null: all of the workspace. */
export const wikiToolsOf = (tools: ResolvedTools): ReadonlyMap<string, readonly string[] | null> =>
  new Map(
    [...tools.values()].flatMap(({ name, server, wikis }) =>
      server?.readsWikis ? [[name, wikis ?? null]] : []
    )
  )

/**
 * The tools of a session: its agent's built-in, external and reference ones and those of other sources, in the order of its
 * configuration, then what its clients declared. A name that is taken stays with the first; a built-in that this server does not
 * have is left out (an older worker may run a newer agent). `answer`: who may answer what those of the agent ask of people, where
 * a tool does not say so itself.
 */
export function resolveTools(
  ports: Ports,
  agentTools: readonly RunnableTool[],
  clientTools: readonly ClientTool[],
  answer?: AnswerPolicy,
  sources: readonly SourcedTools[] = []
): ResolvedTools {
  const tools = new Map<string, ResolvedTool>()
  const add = (tool: ResolvedTool) => {
    if (!tools.has(tool.name)) tools.set(tool.name, tool)
  }
  for (const config of agentTools) {
    const { duration } = config
    const asks =
      'name' in config && config.name === commitRevisionTool
        ? reviewersOf(config.answer, answer)
        : (config.answer ?? answer)
    const own = {
      ...(asks === undefined ? {} : { answer: asks }),
      ...(duration === undefined ? {} : { duration })
    }
    for (const tool of toolsOf(ports, config, new Set(tools.keys()), sources)) add({ ...tool, ...own })
  }
  for (const source of sources) for (const tool of source.more?.(answer) ?? []) add(tool)
  for (const config of clientTools) add(declared(config))
  return tools
}

/** The tools that one entry of an agent's configuration stands for. */
function toolsOf(
  ports: Ports,
  config: RunnableTool,
  taken: ReadonlySet<string>,
  sources: readonly SourcedTools[]
): readonly ResolvedTool[] {
  for (const source of sources) {
    const sourced = source.of?.(config, taken)
    if (sourced !== undefined) return sourced
  }
  if (!('name' in config)) return []
  if ('where' in config) return [config.where === 'external' ? external(config) : reference(config)]
  const tool = ports.tools.get(config.name)
  return tool === undefined ? [] : [own(config, tool, tool.off?.(ports))]
}

/** The same, and what an agent needs that was told something out of band. */
export const withAcknowledge = (tools: ResolvedTools): ResolvedTools =>
  tools.has(acknowledge.name) ? tools : new Map([...tools, [acknowledge.name, resolved(acknowledge, {})]])

/** The kind of a tool's calls once nothing has to be approved (any more). */
export function kindOf(where: CallWhere): CallKind {
  switch (where) {
    case 'server':
      return 'server'
    case 'browser':
      return 'client'
    case 'approver':
      return 'question'
    case 'external':
      return 'external'
    case 'agent':
      return 'agent'
  }
}

/** The tools as the SDK wants them: schemas, and no `execute`, so that a step ends with its calls (docs/concepts/engine.md#commit). */
export const toolSet = (tools: ResolvedTools, check: CheckBySchema): ToolSet =>
  Object.fromEntries(
    [...tools.values()]
      .filter(({ hidden }) => !hidden)
      .map(tool => [
        tool.name,
        sdkTool({
          description: tool.description,
          inputSchema: jsonSchema(tool.inputSchema as never, {
            validate: async value => {
              const fitting = await fitArguments(tool, value, check)
              return fitting.ok
                ? { success: true, value: fitting.value }
                : { success: false, error: new Error(fitting.words) }
            }
          })
        })
      ])
  )

/** The JSON Schema of a built-in's zod schema; those that never change are made once. */
function jsonOf(schema: z.ZodType): JsonSchema {
  const known = made.get(schema) ?? (z.toJSONSchema(schema, { io: 'input' }) as JsonSchema)
  made.set(schema, known)
  return known
}
const made = new WeakMap<z.ZodType, JsonSchema>()

type Settings = Omit<BuiltInTool, 'name'>

function own(config: BuiltInTool, tool: Tool<never, unknown>, off: string | undefined): ResolvedTool {
  const made = resolved(tool, config)
  if (off !== undefined) return { ...made, hidden: true, off }
  return made.where === 'agent' ? spawning(made, config.agents) : made
}

/** Which agents it may have work for it stands in its schema: what an approver edits is held against that, too. */
function spawning(tool: ResolvedTool, agents: readonly string[] = []): ResolvedTool {
  const { properties, ...schema } = tool.inputSchema as { properties: Record<string, object> }
  const { agentId, ...others } = properties
  const choice = agents.length === 0 ? {} : { agentId: { ...agentId, enum: agents } }
  const { server: _, ...rest } = tool
  return { ...rest, inputSchema: { ...schema, properties: { ...others, ...choice } } }
}

/** A tool of this server with its settings. */
export function resolved<Input>(tool: Tool<Input>, config: Settings): ResolvedTool {
  const { approval = tool.approval ?? 'auto' } = tool.alwaysAsked ? { approval: 'ask' } : config
  const parse = (input: unknown) => tool.input.parse(input) as never
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: jsonOf(tool.input),
    outputSchema: input => {
      const schema = tool.outputFor?.(parse(input)) ?? tool.output
      return schema === undefined ? undefined : jsonOf(schema)
    },
    where: tool.where,
    kind: approval === 'ask' ? 'approval' : kindOf(tool.where),
    ...(tool.render === undefined ? {} : { render: tool.render }),
    title: input => tool.title?.(parse(input)),
    ...(config.timeoutSeconds === undefined ? {} : { timeoutSeconds: config.timeoutSeconds }),
    ...((config.deadlineSeconds ?? tool.deadline)
      ? { deadlineSeconds: config.deadlineSeconds ?? tool.deadline }
      : {}),
    ...(tool.onDeadline === undefined ? {} : { onDeadline: tool.onDeadline }),
    repeatable: tool.repeatable ?? false,
    retries: 0,
    ...(config.wikis === undefined ? {} : { wikis: config.wikis }),
    ...(tool.alwaysAsked ? { alwaysAsked: true } : {}),
    server: tool as Tool
  } as ResolvedTool
}

const external = (config: ExternalTool): ResolvedTool => ({
  name: config.name,
  description: config.description,
  inputSchema: config.inputSchema,
  outputSchema: () => config.outputSchema,
  where: 'external',
  kind: config.approval === 'ask' ? 'approval' : 'external',
  title: () => config.title,
  ...(config.deadlineSeconds === undefined ? {} : { deadlineSeconds: config.deadlineSeconds }),
  repeatable: false,
  url: config.url,
  retries: config.retries
})

/** A tool that a widget of the page fulfils. To ask for a connection is itself a question to the person: it needs no approval. */
function reference(config: ReferenceTool): ResolvedTool {
  const isConnection = config.render.kind === 'connect'
  return {
    name: config.name,
    description: config.description,
    inputSchema: config.inputSchema,
    outputSchema: () => config.outputSchema,
    where: config.where,
    kind: isConnection ? 'connection' : config.approval === 'ask' ? 'approval' : kindOf(config.where),
    render: config.render,
    title: () => config.title,
    ...(config.deadlineSeconds === undefined ? {} : { deadlineSeconds: config.deadlineSeconds }),
    repeatable: false,
    retries: 0
  }
}

const declared = (config: ClientTool): ResolvedTool => ({
  name: config.name,
  description: config.description,
  inputSchema: config.inputSchema,
  outputSchema: () => config.outputSchema,
  where: 'browser',
  kind: 'client',
  title: () => undefined,
  repeatable: false,
  retries: 0
})
