import {
  type Agent,
  type AgentConfig,
  type AgentPlugin,
  type AgentTool,
  isBuiltIn
} from '@waystation/protocol/agent/agent.ts'
import type { ListedTool } from '@waystation/protocol/agent/listed-tool.ts'
import type { AnswerPolicy, AnswerRole } from '@waystation/protocol/call/answer-policy.ts'
import type { OobDefaults } from '@waystation/protocol/out-of-band/oob-defaults.ts'

/** A built-in tool in the agent form. */
export type ToolChoice = Pick<ListedTool, 'name' | 'description' | 'approval' | 'alwaysAsked' | 'unavailable'>

/** The state of the agent form. Most fields are text as typed, because input can be incomplete or invalid. */
export type AgentDraft = {
  type: Agent['type']
  agentId: string
  displayName: string
  description: string
  model: string
  toolCalling: 'native' | 'text'
  instructions: string
  /** The enabled built-in tools by name. `ask`: each call needs approval. `auto`: calls run automatically. */
  builtIn: Readonly<Record<string, 'ask' | 'auto'>>
  /**
   * Restricts who can answer requests from its tools. Without roles and people, all users with that
   * permission can.
   */
  answer: AnswerDraft
  external: string
  /** The enabled plugins, as a JSON array. */
  plugins: string
  /** IDs of the agents that it can hand off to, separated by commas. */
  handoffs: string
  inputUrl: string
  callbackBaseUrl: string
  retries: string
  /**
   * If true, the external agent receives the content of the active item with every message. `redact` lists
   * fields to remove from that content, separated by commas.
   */
  activeEachTime: boolean
  redact: string
  /** Seconds until out-of-band messages expire, or `never`. Empty: the workspace default. */
  ttlSeconds: string
  stepsPerTurn: string
  usdPerTurn: string
  contextTokens: string
  /**
   * `model`: the agent's model summarizes messages that leave the prompt. `words`: only the start of each
   * user message stays.
   */
  compaction: 'model' | 'words'
}

/**
 * `links`: if session tokens and answer links are accepted. Undefined: the default, which depends on the
 * other fields.
 */
export type AnswerDraft = {
  roles: readonly AnswerRole[]
  people: readonly string[]
  notAsker: boolean
  links: boolean | undefined
}

/**
 * True for tools that the form shows as JSON: external and embedded tools, and tools of MCP servers and
 * plugins.
 */
const isExternal = (tool: AgentTool) => !isBuiltIn(tool)

/** Returns the initial state of the form for an agent, or for a new agent if `agent` is undefined. */
export function draftOf(agent: AgentConfig | undefined, tools: readonly ToolChoice[]): AgentDraft {
  const chat = agent?.type === 'chat' ? agent.chat : undefined
  const outside = agent?.type === 'external' ? agent.external : undefined
  const external = chat?.tools.filter(isExternal) ?? []
  return {
    type: agent?.type ?? 'chat',
    agentId: agent?.agentId ?? '',
    displayName: agent?.displayName ?? '',
    description: agent?.description ?? '',
    model: chat?.model ?? 'default',
    toolCalling: chat?.toolCalling ?? 'native',
    instructions: chat?.instructions ?? '',
    builtIn: Object.fromEntries(
      (chat?.tools ?? [])
        .filter(isBuiltIn)
        .map(tool => [tool.name, tool.approval ?? approvalIn(tools, tool.name)])
    ),
    answer: {
      roles: chat?.answer?.roles ?? [],
      people: chat?.answer?.people ?? [],
      notAsker: chat?.answer?.notAsker ?? false,
      links: chat?.answer?.links
    },
    external: external.length === 0 ? '' : JSON.stringify(external, null, 2),
    plugins: chat?.plugins?.length ? JSON.stringify(chat.plugins, null, 2) : '',
    handoffs: (chat?.handoffs ?? []).join(', '),
    inputUrl: outside?.inputUrl ?? '',
    callbackBaseUrl: outside?.callbackBaseUrl ?? '',
    retries: String(outside?.retries ?? 0),
    activeEachTime: outside?.activeItem === 'everyMessage',
    redact: (outside?.redact ?? []).join(', '),
    ttlSeconds: ttlText(agent?.outOfBand),
    stepsPerTurn: String(chat?.limits.stepsPerTurn ?? 25),
    usdPerTurn: String(chat?.limits.usdPerTurn ?? 1),
    contextTokens: String(chat?.limits.contextTokens ?? 120_000),
    compaction: chat?.compaction ?? 'model'
  }
}

/**
 * Returns the configuration for a draft. Fields of a chat agent that the form does not show, such as starters
 * and a tool's own timeout, come from `base`. Returns a `fault` for invalid JSON and an invalid expiry. The
 * server validates everything else.
 */
export function configOf(
  draft: AgentDraft,
  base: AgentConfig | undefined,
  tools: readonly ToolChoice[]
): { config: AgentConfig } | { fault: string } {
  const description = draft.description.trim()
  const outOfBand = ttlIn(draft.ttlSeconds)
  if ('fault' in outOfBand) return outOfBand
  const common = {
    agentId: draft.agentId.trim(),
    displayName: draft.displayName,
    ...(description === '' ? {} : { description }),
    ...(outOfBand.ttlSeconds === undefined ? {} : { outOfBand })
  }
  if (draft.type === 'external') {
    const callbackBaseUrl = draft.callbackBaseUrl.trim()
    const redact = namesIn(draft.redact)
    return {
      config: {
        ...common,
        type: 'external',
        external: {
          inputUrl: draft.inputUrl.trim(),
          ...(callbackBaseUrl === '' ? {} : { callbackBaseUrl }),
          retries: Number(draft.retries),
          ...(draft.activeEachTime ? { activeItem: 'everyMessage' } : {}),
          ...(redact.length === 0 ? {} : { redact })
        }
      }
    }
  }
  const external = listIn<AgentTool>(draft.external, 'External tools')
  if ('fault' in external) return external
  const plugins = listIn<AgentPlugin>(draft.plugins, 'Plugins')
  if ('fault' in plugins) return plugins
  const chat = base?.type === 'chat' ? base.chat : undefined
  const answer = policyOf(draft.answer)
  const { answer: _, plugins: __, handoffs: ___, compaction, toolCalling, ...others } = chat ?? {}
  const handoffs = namesIn(draft.handoffs)
  // A value that `base` does not set stays unset while the form shows the default.
  const sumsUp =
    compaction === undefined && draft.compaction === 'model' ? {} : { compaction: draft.compaction }
  const calls =
    toolCalling === undefined && draft.toolCalling === 'native' ? {} : { toolCalling: draft.toolCalling }
  return {
    config: {
      ...common,
      type: 'chat',
      chat: {
        ...others,
        ...sumsUp,
        ...calls,
        ...(answer === undefined ? {} : { answer }),
        ...(plugins.list.length === 0 ? {} : { plugins: plugins.list }),
        ...(handoffs.length === 0 ? {} : { handoffs }),
        model: draft.model.trim() || 'default',
        instructions: draft.instructions,
        tools: toolsOf(draft.builtIn, external.list, chat?.tools ?? [], tools),
        limits: {
          stepsPerTurn: Number(draft.stepsPerTurn),
          usdPerTurn: Number(draft.usdPerTurn),
          contextTokens: Number(draft.contextTokens)
        }
      }
    }
  }
}

const ttlText = ({ ttlSeconds }: OobDefaults = {}): string =>
  ttlSeconds === null ? 'never' : (ttlSeconds?.toString() ?? '')

/**
 * Parses the expiry of out-of-band messages. Empty text returns an empty object, so the workspace default
 * applies.
 */
function ttlIn(text: string): OobDefaults | { fault: string } {
  const typed = text.trim().toLowerCase()
  if (typed === '') return {}
  if (typed === 'never') return { ttlSeconds: null }
  if (/^\d{1,10}$/.test(typed)) return { ttlSeconds: Number(typed) }
  return {
    fault:
      'Out-of-band messages expire after: enter a number of seconds or “never”, or leave the field empty.'
  }
}

const namesIn = (text: string): string[] => text.split(',').flatMap(name => name.trim() || [])

/** Parses a JSON array. Empty text returns an empty list. `what` names the field in the error. */
function listIn<Item>(json: string, what: string): { list: Item[] } | { fault: string } {
  try {
    const list: unknown = json.trim() === '' ? [] : JSON.parse(json)
    return Array.isArray(list) ? { list } : { fault: `${what} must be a JSON array: [ … ].` }
  } catch {
    return { fault: `${what} must be valid JSON.` }
  }
}

/**
 * Returns the tools in their previous order, so that a comparison shows only real changes. New built-in tools
 * come first, so that no other tool with the same name hides them. If a tool sets no approval and the user
 * does not change it, it stays unset.
 */
function toolsOf(
  builtIn: AgentDraft['builtIn'],
  external: readonly AgentTool[],
  before: readonly AgentTool[],
  tools: readonly ToolChoice[]
): AgentTool[] {
  const others = [...external]
  const kept = before.flatMap((tool): AgentTool[] => {
    if (!isBuiltIn(tool)) return others.splice(0, 1)
    const approval = builtIn[tool.name]
    if (approval === undefined) return []
    return tool.approval === undefined && approval === approvalIn(tools, tool.name)
      ? [tool]
      : [{ ...tool, approval }]
  })
  const known = new Set(before.filter(isBuiltIn).map(({ name }) => name))
  const added = Object.entries(builtIn).flatMap(([name, approval]) =>
    known.has(name) ? [] : [{ name, approval }]
  )
  return [...added, ...kept, ...others]
}

/** Returns the default approval of a built-in tool. */
const approvalIn = (tools: readonly ToolChoice[], name: string): 'ask' | 'auto' =>
  tools.find(tool => tool.name === name)?.approval ?? 'auto'

/**
 * Applies the changes from `base` to `mine` on top of `theirs`, field by field. Built-in tools are merged one
 * by one.
 */
export function rebased(mine: AgentDraft, base: AgentDraft, theirs: AgentDraft): AgentDraft {
  const builtIn = taken(mine.builtIn, base.builtIn, theirs.builtIn)
  return { ...taken(mine, base, theirs), builtIn }
}

function taken<Fields extends object>(mine: Fields, base: Fields, theirs: Fields): Fields {
  const changed = (name: keyof Fields) => JSON.stringify(mine[name]) !== JSON.stringify(base[name])
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])] as (keyof Fields)[]
  const from = (name: keyof Fields) => (changed(name) ? mine : theirs)
  return Object.fromEntries(
    names.filter(name => name in from(name)).map(name => [name, from(name)[name]])
  ) as Fields
}

/** Returns the answer policy of a draft, or undefined if the draft sets no field of it. */
function policyOf({ roles, people, notAsker, links }: AnswerDraft): AnswerPolicy | undefined {
  const policy: AnswerPolicy = {
    ...(roles.length === 0 ? {} : { roles: [...roles] }),
    ...(people.length === 0 ? {} : { people: [...people] }),
    ...(notAsker ? { notAsker } : {}),
    ...(links === undefined ? {} : { links })
  }
  return Object.keys(policy).length === 0 ? undefined : policy
}
