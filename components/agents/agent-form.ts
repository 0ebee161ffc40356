import {
  AgentConfig,
  type AgentTool,
  type BuiltInTool,
  ChatConfig,
  type ExternalConfig,
  isBuiltIn
} from '@waystation/protocol/agent/agent.ts'
import type { ListedTool } from '@waystation/protocol/agent/listed-tool.ts'
import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { checkValues } from '#components/forms/check-values.ts'
import type { FieldErrors } from '#components/forms/place-errors.ts'

/** A built-in tool in the agent form. */
export type ToolChoice = Pick<
  ListedTool,
  'name' | 'description' | 'where' | 'approval' | 'alwaysAsked' | 'source' | 'unavailable'
>

type Common = Pick<AgentConfig, 'agentId' | 'displayName' | 'description' | 'outOfBand'>

/**
 * The values of the agent form: the configurations of both types, so that the user can switch between them.
 * `chat.tools` contains the tools of other systems, that is all except built-in tools.
 */
export type AgentForm = Common & {
  type: AgentConfig['type']
  chat: ChatConfig
  external: ExternalConfig
  /** The enabled built-in tools by name. A text that is not valid stays a text, which the schema rejects. */
  builtIn: Readonly<Record<string, BuiltInTool>>
  /** The whole configuration while it is edited as JSON. It replaces all other values. */
  json?: unknown
}

/** Returns the values of the form for an agent, or for a new agent if `agent` is undefined. */
export function formOf(agent: AgentConfig | undefined, tools: readonly ToolChoice[]): AgentForm {
  const chat = agent?.type === 'chat' ? agent.chat : ChatConfig.parse({})
  const builtIn = chat.tools
    .filter(isBuiltIn)
    .map(tool => [tool.name, { approval: approvalIn(tools, tool.name), ...tool }] as const)
  return {
    type: agent?.type ?? 'chat',
    agentId: agent?.agentId ?? '',
    displayName: agent?.displayName ?? '',
    description: agent?.description,
    outOfBand: agent?.outOfBand,
    chat: { ...chat, tools: chat.tools.filter(tool => !isBuiltIn(tool)) },
    external: agent?.type === 'external' ? agent.external : { inputUrl: '', retries: 0 },
    builtIn: Object.fromEntries(builtIn)
  }
}

/** Returns the values with a valid configuration from the JSON in the fields. Other JSON stays. */
export function valuesOf(values: AgentForm, tools: readonly ToolChoice[]): AgentForm {
  const { success, data } = AgentConfig.safeParse(values.json)
  return success ? formOf(data, tools) : values
}

/** Returns the errors of a configuration, at the paths of the form's fields. With `json`, all are at that field. */
export function errorsOf(config: AgentConfig, { json }: Partial<Pick<AgentForm, 'json'>> = {}): FieldErrors {
  const errors = Object.entries(checkValues(AgentConfig, config))
  if (json !== undefined)
    return Object.fromEntries(errors.map(([path, message]) => [`json.${path}`, message]))
  const tools = config.type === 'chat' && Array.isArray(config.chat?.tools) ? config.chat.tools : []
  return Object.fromEntries(
    errors.map(([path, message]) => {
      const [, index = '', field] = /^chat\.tools\.(\d+)\.([a-z]+)/i.exec(path) ?? []
      const tool = tools[Number(index)]
      return [field && tool && isBuiltIn(tool) ? `builtIn.${tool.name}.${field}` : path, message]
    })
  )
}

/**
 * Returns the configuration that the server receives for the values of a form. It can be invalid. The tools of
 * `base` determine the order of the tools.
 */
export function configOf(
  { type, chat, external, builtIn, outOfBand, json, ...common }: AgentForm,
  base: AgentConfig | undefined,
  tools: readonly ToolChoice[]
): AgentConfig {
  if (json !== undefined) return json as AgentConfig
  const isSet = Object.values(outOfBand ?? {}).some(value => value !== undefined)
  const ofAll = { ...common, ...(isSet && { outOfBand }) }
  if (type === 'external') return { ...ofAll, type, external }
  const before = base?.type === 'chat' ? base.chat.tools : []
  return {
    ...ofAll,
    type,
    chat: { ...withoutEmpty(chat), tools: toolsOf(builtIn, chat.tools, before, tools) }
  }
}

/** Groups of the form whose fields are all optional. */
const groups = ['parameters', 'price', 'attachments', 'toolSettings'] as const

/** Removes groups without a value and starters without a text, so that they are not a change. */
function withoutEmpty(chat: ChatConfig): ChatConfig {
  const { retry, ...own } = chat.toolSettings ?? {}
  const filled = { ...chat, toolSettings: isEmpty(retry) ? own : { ...own, retry } }
  const starters = filled.starters?.filter(({ text }) => text.trim() !== '')
  if (starters?.length === 0) delete filled.starters
  else if (starters !== undefined) filled.starters = starters
  for (const group of groups) if (isEmpty(filled[group])) delete filled[group]
  return filled
}

const isEmpty = (group: object = {}): boolean => Object.values(group).every(value => value === undefined)

/**
 * Returns the tools in their previous order, so that a comparison shows only real changes. New built-in tools
 * come first, so that no other tool with the same name hides them. If a tool sets no approval and the user
 * does not change it, it stays unset.
 */
function toolsOf(
  builtIn: AgentForm['builtIn'],
  external: readonly AgentTool[] | undefined,
  before: readonly AgentTool[],
  tools: readonly ToolChoice[]
): AgentTool[] {
  const others = [...(external ?? [])]
  const kept = before.flatMap((tool): AgentTool[] => {
    if (!isBuiltIn(tool)) return others.splice(0, 1)
    const edited = builtIn[tool.name]
    if (edited === undefined) return []
    const { approval, ...settings } = edited
    return tool.approval === undefined && approval === approvalIn(tools, tool.name) ? [settings] : [edited]
  })
  const known = new Set(before.filter(isBuiltIn).map(({ name }) => name))
  const added = Object.values(builtIn).filter(({ name }) => !known.has(name))
  return [...added, ...kept, ...others]
}

/** Returns the default approval of a built-in tool. */
const approvalIn = (tools: readonly ToolChoice[], name: string): 'ask' | 'auto' =>
  tools.find(tool => tool.name === name)?.approval ?? 'auto'

/**
 * Applies the changes from `base` to `mine` on top of `theirs`, field by field. Built-in tools are merged one
 * by one.
 */
export function rebased(mine: AgentForm, base: AgentForm, theirs: AgentForm): AgentForm {
  const merged = taken(mine, base, theirs)
  const limits = taken(mine.chat.limits, base.chat.limits, theirs.chat.limits)
  return {
    ...merged,
    chat: { ...taken(mine.chat, base.chat, theirs.chat), limits },
    external: taken(mine.external, base.external, theirs.external),
    builtIn: taken(mine.builtIn, base.builtIn, theirs.builtIn)
  }
}

function taken<Fields extends object>(mine: Fields, base: Fields, theirs: Fields): Fields {
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])] as (keyof Fields)[]
  const from = (name: keyof Fields) =>
    canonicalJson(mine[name]) === canonicalJson(base[name]) ? theirs : mine
  return Object.fromEntries(
    names.filter(name => name in from(name)).map(name => [name, from(name)[name]])
  ) as Fields
}
