import type {
  BuiltInTool,
  ExternalTool,
  JsonSchema,
  ReferenceTool,
  RunnableTool
} from '@waystation/protocol/agent/agent.ts'
import type { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import type { CallKind, ToolWhere } from '@waystation/protocol/call/call.ts'
import { reviewersOf } from '@waystation/protocol/call/reviewers.ts'
import { commitRevisionTool } from '@waystation/protocol/call/tool-names.ts'
import type { ClientTool } from '@waystation/protocol/session/session.ts'
import { z } from 'zod'
import type { Ports } from '#lib/kernel/ctx.ts'
import { acknowledge } from './acknowledge.ts'
import type { SourcedTools } from './registry.ts'
import type { ResolvedTool, ResolvedTools } from './resolved-tool.ts'
import type { Tool } from './tool.ts'

/** Returns the built-in wiki tools with the wikis that each can read. Null: all wikis of the workspace. */
export const wikiToolsOf = (tools: ResolvedTools): ReadonlyMap<string, readonly string[] | null> =>
  new Map(
    [...tools.values()].flatMap(({ name, server, wikis }) =>
      server?.readsWikis ? [[name, wikis ?? null]] : []
    )
  )

/**
 * Builds the tools of a session: those of the agent's configuration in its order, then those of other sources, then
 * client tools. If two tools have the same name, the first one is used. Unknown built-in tools are skipped, because an
 * older worker can run a newer agent. `answer` is the agent's answer policy, which a tool's own policy replaces.
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
    const policy =
      'name' in config && config.name === commitRevisionTool
        ? reviewersOf(config.answer, answer)
        : (config.answer ?? answer)
    const settings = {
      ...(policy === undefined ? {} : { answer: policy }),
      ...(duration === undefined ? {} : { duration })
    }
    for (const tool of toolsOf(ports, config, new Set(tools.keys()), sources)) add({ ...tool, ...settings })
  }
  for (const source of sources) for (const tool of source.additional?.(answer) ?? []) add(tool)
  for (const config of clientTools) add(declared(config))
  return tools
}

/** Returns the tools for one entry of an agent's configuration. */
function toolsOf(
  ports: Ports,
  config: RunnableTool,
  usedNames: ReadonlySet<string>,
  sources: readonly SourcedTools[]
): readonly ResolvedTool[] {
  for (const source of sources) {
    const sourced = source.forEntry?.(config, usedNames)
    if (sourced !== undefined) return sourced
  }
  if (!('name' in config)) return []
  if ('where' in config) return [config.where === 'external' ? external(config) : reference(config)]
  const tool = ports.tools.get(config.name)
  return tool === undefined ? [] : [builtIn(config, tool, tool.off?.(ports))]
}

/** Adds the tool that an agent needs after it received an out-of-band message. */
export const withAcknowledge = (tools: ResolvedTools): ResolvedTools =>
  tools.has(acknowledge.name)
    ? tools
    : new Map([...tools, [acknowledge.name, resolveBuiltIn(acknowledge, {})]])

/** Returns the kind of a tool's calls that need no approval, or that are approved. */
export function kindOf(where: ToolWhere): CallKind {
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

/** Converts a built-in tool's zod schema to JSON Schema. Schemas that never change are converted once. */
function jsonOf(schema: z.ZodType): JsonSchema {
  const converted = jsonSchemas.get(schema) ?? (z.toJSONSchema(schema, { io: 'input' }) as JsonSchema)
  jsonSchemas.set(schema, converted)
  return converted
}
const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>()

type Settings = Omit<BuiltInTool, 'name'>

function builtIn(config: BuiltInTool, tool: Tool<never, unknown>, off: string | undefined): ResolvedTool {
  const result = resolveBuiltIn(tool, config)
  if (off !== undefined) return { ...result, hidden: true, unavailable: off }
  return result.where === 'agent' ? withAgentChoice(result, config.agents) : result
}

/** Puts the agents that can be started into the schema. It then also validates arguments that an approver edited. */
function withAgentChoice(tool: ResolvedTool, agents: readonly string[] = []): ResolvedTool {
  const { properties, ...schema } = tool.inputSchema as { properties: Record<string, object> }
  const { agentId, ...otherProperties } = properties
  const choice = agents.length === 0 ? {} : { agentId: { ...agentId, enum: agents } }
  const { server: _, ...rest } = tool
  return { ...rest, inputSchema: { ...schema, properties: { ...otherProperties, ...choice } } }
}

/** Returns a tool of this server with its settings. */
export function resolveBuiltIn<Input>(tool: Tool<Input>, config: Settings): ResolvedTool {
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
    title: input => tool.title?.(parse(input), config),
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

/**
 * Returns a tool that a widget of the page runs. A request for a connection already asks the user, so it needs no
 * approval.
 */
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
