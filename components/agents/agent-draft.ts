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

/** A tool that the server brings, as the form lists it. */
export type ToolChoice = Pick<ListedTool, 'name' | 'description' | 'approval' | 'alwaysAsked' | 'unavailable'>

/** What stands in the form: every field as its text, so that what is half written can stand there too. */
export type AgentDraft = {
  type: Agent['type']
  agentId: string
  displayName: string
  description: string
  model: string
  toolCalling: 'native' | 'text'
  instructions: string
  /** Built-in tools by name: whether a person approves each call. Absent: the agent has not got it. */
  builtIn: Readonly<Record<string, 'ask' | 'auto'>>
  /** Who may answer what its tools ask of people; nobody named: whoever may answer at all. */
  answer: AnswerDraft
  external: string
  /** The plugins that it switches on, as JSON. */
  plugins: string
  /** The IDs of the agents that it may hand to, with commas. */
  handoffs: string
  inputUrl: string
  callbackBaseUrl: string
  retries: string
  /** Whether it gets what is sent along with each message, and the names of fields that it never gets, with commas. */
  activeEachTime: boolean
  redact: string
  /** Seconds after which out-of-band messages expire; `never`; empty: as the workspace says. */
  ttlSeconds: string
  stepsPerTurn: string
  usdPerTurn: string
  contextTokens: string
  /** Who sums up what leaves the prompt. */
  compaction: 'model' | 'words'
}

/** `links`: what is said of session tokens and answer links; undefined leaves it to the rest. */
export type AnswerDraft = {
  roles: readonly AnswerRole[]
  people: readonly string[]
  notAsker: boolean
  links: boolean | undefined
}

/** What the form shows as JSON: what another system answers, what an embed brings, and the tools of MCP servers. */
const isExternal = (tool: AgentTool) => !isBuiltIn(tool)

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
 * The configuration that a draft stands for, over the agent it began from, so that what the form does not show
 * (prices, starters, a tool's own timeouts) stays. The server judges it; only JSON that is none is refused here.
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
  // An agent that says nothing of it goes on saying nothing.
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

/** What was typed of when out-of-band messages expire; nothing leaves it to the workspace. */
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

/** What stands in a field of JSON; nothing is an empty list. */
function listIn<Item>(json: string, what: string): { list: Item[] } | { fault: string } {
  try {
    const list: unknown = json.trim() === '' ? [] : JSON.parse(json)
    return Array.isArray(list) ? { list } : { fault: `${what} must be a JSON array: [ … ].` }
  } catch {
    return { fault: `${what} must be valid JSON.` }
  }
}

/**
 * The tools in the order in which they stood, so that only what was changed is different; new ones of this server in front,
 * where nothing of the same name hides them. A tool that says nothing of approval, and whose approval nobody changed, goes on
 * saying nothing.
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

/** What a tool does about approval by itself. */
const approvalIn = (tools: readonly ToolChoice[], name: string): 'ask' | 'auto' =>
  tools.find(tool => tool.name === name)?.approval ?? 'auto'

/** What was changed in `mine` since `base`, over `theirs`: of each field, and of each built-in tool, theirs if it was not changed. */
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

/** The policy that a draft stands for; undefined when it says nothing. */
function policyOf({ roles, people, notAsker, links }: AnswerDraft): AnswerPolicy | undefined {
  const policy: AnswerPolicy = {
    ...(roles.length === 0 ? {} : { roles: [...roles] }),
    ...(people.length === 0 ? {} : { people: [...people] }),
    ...(notAsker ? { notAsker } : {}),
    ...(links === undefined ? {} : { links })
  }
  return Object.keys(policy).length === 0 ? undefined : policy
}
