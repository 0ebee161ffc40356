import { reviewersOf } from '@waystation/protocol/call/reviewers.ts'
import { commitRevisionTool } from '@waystation/protocol/call/tool-names.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { isBuiltIn } from './agent.ts'
import type { ConfigChange } from './comparison.ts'
import { diffConfigs, isSame, labelOf } from './config-diff.ts'
import { escalatingEmbeds } from './escalating-embeds.ts'
import { escalatesByOrder } from './escalating-order.ts'
import { escalatesByPolicy, type Policy } from './escalating-policy.ts'

/**
 * Returns a sentence for each part of a change that lets the agent do more. The list is empty if the change only
 * restricts the agent or changes wording. It fails safe: an unknown difference is reported until this file declares it
 * harmless. `usual` has the default approval modes of this server's tools.
 */
export function privilegeEscalations(
  before: unknown,
  after: unknown,
  usual: DefaultApprovals = {}
): string[] {
  const isEmbedded = (name: string) =>
    [before, after].some(config => '@ag.embed' in (chatOf(config).tools.get(name) ?? {}))
  const sentences = diffConfigs(before, after)
    .map(change => withUsual(change, usual, [before, after]))
    .flatMap(change => sentenceOf(change, isEmbedded) ?? [])
  const order = escalatesByOrder([...chatOf(before).tools.values()], [...chatOf(after).tools.values()])
  return [...new Set([...sentences, ...order, ...policySentences(before, after)])]
}

/** Default approval modes by tool name. */
export type DefaultApprovals = Readonly<Record<string, 'ask' | 'auto'>>

/** For a change of a built-in tool's approval: replaces an absent value by the tool's default. */
function withUsual(change: ConfigChange, usual: DefaultApprovals, configs: readonly unknown[]): ConfigChange {
  const [part, list, name = '', field] = change.path
  if (part !== 'chat' || list !== 'tools' || field !== 'approval' || change.path.length > 4) return change
  const tools = configs.map(config => chatOf(config).tools.get(name))
  if (!Object.hasOwn(usual, name) || !tools.every(tool => tool !== undefined && isBuiltIn(tool)))
    return change
  const { before = usual[name], after = usual[name], path } = change
  return { path, kind: 'changed', before, after }
}

/** Returns the sentence for one difference, or undefined if it is harmless. */
function sentenceOf(change: ConfigChange, isEmbedded: (tool: string) => boolean): string | undefined {
  const { path, kind, before, after } = change
  const [part, field, item, ...rest] = path
  if (isHarmless(path) || (kind === 'moved' && isOrderFree(path))) return undefined
  // The wikis of an embedded tool are unknown here.
  if (part === 'chat' && field === 'tools' && rest[0] === 'wikis' && item !== undefined && !isEmbedded(item))
    return wikiSentence(item, rest[1], change)
  if (part === 'chat' && field === 'tools' && item !== undefined) return toolSentence(item, rest, change)
  if (part === 'chat' && field === 'limits' && item !== undefined && rest.length === 0)
    return limitSentence(item, change)
  if (part === 'chat' && field === 'plugins')
    return "The agent's plugins, their settings or their order changed."
  if (part === 'chat' && field === 'price') return priceSentence(change)
  if (path.join('.') === 'chat.instructions') {
    const [embed] = escalatingEmbeds(before, after)
    return embed && `The instructions now embed ${embed}.`
  }
  if (part === 'chat' && field === 'handoffs') return handOffSentence(change)
  // The default is the model.
  if (path.join('.') === 'chat.compaction')
    return before === 'words' ? 'The model now summarizes messages that leave the prompt.' : undefined
  if (path.join('.') === 'chat.buildKit')
    return after === 'off' || (before === 'on' && after === undefined)
      ? undefined
      : 'Sessions that owners and editors start in the playground can have the build kit.'
  if (path.join('.') === 'chat.model')
    return `The agent uses the model ${text(after)} instead of ${text(before)}.`
  if (path.join('.') === 'chat.handler')
    return `The agent's steps are answered by ${text(after ?? 'chat')} instead of ${text(before ?? 'chat')}.`
  if (path.join('.') === 'external.inputUrl') return `Messages are sent to ${text(after)}.`
  if (path.join('.') === 'external.checkUrl')
    return kind === 'removed' ? undefined : `Session IDs are sent to ${text(after)}.`
  if (path.join('.') === 'external.retries' && isLess(after, before)) return undefined
  if (part === 'external' && field === 'redact') return redactSentence(item, change)
  if (path.join('.') === 'external.activeItem' && kind === 'removed' && before === 'everyMessage')
    return undefined
  if (path.join('.') === 'external.activeItem' && after === 'onChange') return undefined
  if (path.join('.') === 'external.history')
    return Number(after ?? 0) <= Number(before ?? 0)
      ? undefined
      : `The external agent receives up to ${text(after)} earlier messages of a session.`
  return unknownChange(change)
}

/** True for differences that only change wording. Answer policies and the order of tools are checked separately. */
function isHarmless([part, field, item, ...rest]: string[]): boolean {
  if (part === 'displayName' || part === 'description') return true
  if (part !== 'chat') return false
  if (
    field !== undefined &&
    ['starters', 'userAfterTools', 'toolCalling', 'answer', 'parameters'].includes(field)
  )
    return true
  return field === 'tools' && item !== undefined && rest[0] === 'answer'
}

/** True for lists whose order does not affect permissions. */
const isOrderFree = (path: string[]): boolean => ['chat.tools', 'external.redact'].includes(path.join('.'))

function toolSentence(name: string, [field, ...deeper]: string[], change: ConfigChange): string | undefined {
  const { kind, before, after } = change
  if (field === undefined) {
    if (kind === 'removed') return undefined
    if (isJsonObject(after) && typeof after.plugin === 'string')
      return pluginSentence(after.plugin, after.tools, after.approval)
    const url = isJsonObject(after) && typeof after.url === 'string' ? after.url : undefined
    return url === undefined
      ? `The agent gets the tool ${name}.`
      : `The agent gets the tool ${name}, which calls ${url}.`
  }
  if (deeper.length > 0) return unknownChange(change)
  switch (field) {
    case 'approval':
      // Without a value, the tool decides: at least as strict as `auto`, at most as strict as `ask`.
      if (after === 'ask' || before === 'auto' || after === before) return undefined
      return after === 'auto'
        ? `${name} runs without approval.`
        : `${name} needs approval only if the tool itself requires it.`
    case 'url':
      return `${name} calls ${text(after)}${before === undefined ? '' : ` instead of ${text(before)}`}.`
    // How long results stay in the prompt does not affect permissions.
    case 'duration':
      return undefined
    case 'timeoutSeconds':
    case 'deadlineSeconds':
    case 'retries':
      return isLess(after, before) ? undefined : `${name}: ${field} is now ${fromTo(change)}.`
    default:
      return unknownChange(change)
  }
}

/** Without a list, a tool can use all wikis of the workspace. */
function wikiSentence(tool: string, wiki: string | undefined, change: ConfigChange): string | undefined {
  const { kind, before } = change
  if (kind === 'moved' || (wiki !== undefined && kind === 'removed')) return undefined
  if (wiki !== undefined && kind === 'added') return `${tool} can use the wiki ${wiki}.`
  if (kind === 'added' && before === undefined) return undefined
  return kind === 'removed' ? `${tool} can use all wikis of the workspace.` : unknownChange(change)
}

function pluginSentence(plugin: string, tools: unknown, approval: unknown): string {
  const source = plugin === '*' ? 'all plugins' : `the plugin ${plugin}`
  const gets = Array.isArray(tools) ? `tools of ${source}: ${tools.join(', ')}` : `all tools of ${source}`
  return `The agent gets ${gets}.${approval === 'auto' ? ' They run without approval.' : ''}`
}

const limitLabels: Record<string, string> = {
  stepsPerTurn: 'steps per turn',
  usdPerTurn: 'US dollars per turn',
  contextTokens: 'context tokens'
}

function limitSentence(name: string, change: ConfigChange): string | undefined {
  const { before, after } = change
  // A budget of 0 means no limit.
  const amount = (value: unknown) => (name === 'usdPerTurn' && value === 0 ? Infinity : value)
  const label = limitLabels[name]
  if (label === undefined) return unknownChange(change)
  if (isLess(amount(after), amount(before))) return undefined
  if (amount(after) === Infinity) return 'The agent has no spending limit per turn.'
  return `The agent can use more ${label}: ${fromTo(change)}.`
}

/** A higher price uses up the budget sooner. */
function priceSentence({ kind, before, after }: ConfigChange): string | undefined {
  if (kind === 'changed' && isLess(before, after)) return undefined
  return 'The price changed, so the budget per turn can last longer.'
}

/** Each added agent brings its own tools. */
function handOffSentence({ kind, before, after }: ConfigChange): string | undefined {
  const known = new Set(Array.isArray(before) ? before : [before])
  const added = (Array.isArray(after) ? after : [after]).filter(id => id !== undefined && !known.has(id))
  return kind === 'removed' || kind === 'moved' || added.length === 0
    ? undefined
    : `The agent can hand off to ${added.map(text).join(', ')}.`
}

/** Redacting more fields sends less to the external agent. */
function redactSentence(name: string | undefined, { kind }: ConfigChange): string | undefined {
  if (kind === 'added') return undefined
  return name === undefined
    ? 'Different fields of active items are hidden from the external agent.'
    : `The external agent receives ${name} of active items.`
}

/** Compares answer policies: the agent's policy, and that of each tool, which replaces it (`answerers.ts`). */
function policySentences(before: unknown, after: unknown): string[] {
  const [oldChat, newChat] = [chatOf(before), chatOf(after)]
  const [oldPolicy, newPolicy] = [oldChat.answer, newChat.answer]
  const sentences = escalatesByPolicy(oldPolicy, newPolicy, "the agent's requests")
  for (const [name, tool] of newChat.tools) {
    const oldTool = oldChat.tools.get(name)
    if (oldTool !== undefined && name === commitRevisionTool) {
      const reviewers = [reviewersOf(oldTool.answer, oldPolicy), reviewersOf(tool.answer, newPolicy)] as const
      sentences.push(...escalatesByPolicy(...reviewers, `requests from ${name}`))
      continue
    }
    // Without a policy, the policy of the embedded tool applies. It is unknown here.
    if (oldTool !== undefined && '@ag.embed' in tool && !isSame(oldTool.answer, tool.answer)) {
      sentences.push(`The rule for who can answer requests from ${name} changed.`)
      continue
    }
    if (oldTool === undefined || (oldTool.answer === undefined && tool.answer === undefined)) continue
    sentences.push(
      ...escalatesByPolicy(oldTool.answer ?? oldPolicy, tool.answer ?? newPolicy, `requests from ${name}`)
    )
  }
  return sentences
}

type ToolEntry = Record<string, unknown> & { answer?: Policy }

function chatOf(config: unknown): { answer?: Policy; tools: Map<string, ToolEntry> } {
  const chat = isJsonObject(config) && isJsonObject(config.chat) ? config.chat : {}
  const tools = Array.isArray(chat.tools) ? chat.tools : []
  const entries = tools.map(tool => [labelOf(tool), isJsonObject(tool) ? (tool as ToolEntry) : {}] as const)
  return { ...(chat.answer === undefined ? {} : { answer: chat.answer as Policy }), tools: new Map(entries) }
}

const unknownChange = ({ path, kind }: ConfigChange): string =>
  `${path.join(' › ')} was ${kind}, which can let the agent do more.`

const fromTo = ({ before, after }: ConfigChange): string =>
  before === undefined
    ? text(after)
    : after === undefined
      ? `the default instead of ${text(before)}`
      : `${text(after)} instead of ${text(before)}`

const isLess = (value: unknown, than: unknown): boolean =>
  typeof value === 'number' && typeof than === 'number' && value < than

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
