import { reviewersOf } from '#lib/protocol/call/reviewers.ts'
import { isJsonObject } from '#lib/protocol/json-object.ts'
import { isBuiltIn } from './agent.ts'
import type { ConfigChange } from './agent-revision.ts'
import { diffConfigs, isSame, labelOf } from './config-diff.ts'
import { escalatingEmbeds } from './escalating-embeds.ts'
import { escalatesByOrder } from './escalating-order.ts'
import { escalatesByPolicy, type Policy } from './escalating-policy.ts'
import { commitRevisionTool } from './own-config.ts'

/**
 * What a change of a configuration lets the agent do more than before, a plain sentence each; none when it narrows, or only
 * says something differently. It fails safe: a difference that is not known to be harmless here widens, so a field that
 * somebody adds to configurations widens until it is judged in this file. `usual`: what this server's tools do about approval
 * where a configuration says nothing.
 */
export function privilegeEscalations(before: unknown, after: unknown, usual: Usual = {}): string[] {
  const sentences = diffConfigs(before, after)
    .map(change => withUsual(change, usual, [before, after]))
    .flatMap(change => sentenceOf(change) ?? [])
  const order = escalatesByOrder([...chatOf(before).tools.values()], [...chatOf(after).tools.values()])
  return [...new Set([...sentences, ...order, ...policies(before, after)])]
}

/** Approvals by the names of tools. */
export type Usual = Readonly<Record<string, 'ask' | 'auto'>>

/** A change of a server's own tool's approval, with what it does without a word in place of no word. */
function withUsual(change: ConfigChange, usual: Usual, configs: readonly unknown[]): ConfigChange {
  const [part, list, name = '', field] = change.path
  if (part !== 'chat' || list !== 'tools' || field !== 'approval' || change.path.length > 4) return change
  const tools = configs.map(config => chatOf(config).tools.get(name))
  if (!Object.hasOwn(usual, name) || !tools.every(tool => tool !== undefined && isBuiltIn(tool)))
    return change
  const { before = usual[name], after = usual[name], path } = change
  return { path, kind: 'changed', before, after }
}

/** What one difference lets the agent do more; undefined: nothing. */
function sentenceOf(change: ConfigChange): string | undefined {
  const { path, kind, before, after } = change
  const [part, field, item, ...rest] = path
  if (isHarmless(path) || (kind === 'moved' && isOrderFree(path))) return undefined
  if (part === 'chat' && field === 'tools' && item !== undefined) return ofTool(item, rest, change)
  if (part === 'chat' && field === 'limits' && item !== undefined && rest.length === 0)
    return ofLimit(item, change)
  if (part === 'chat' && field === 'plugins')
    return "The agent's plugins, their settings or their order changed."
  if (part === 'chat' && field === 'price') return ofPrice(change)
  if (path.join('.') === 'chat.instructions') {
    const [embed] = escalatingEmbeds(before, after)
    return embed && `The instructions now embed ${embed}.`
  }
  if (part === 'chat' && field === 'handoffs') return ofHandOffs(change)
  // Without a word it is the model.
  if (path.join('.') === 'chat.compaction')
    return before === 'words' ? 'The model now summarizes messages that leave the prompt.' : undefined
  if (path.join('.') === 'chat.model')
    return `The agent uses the model ${words(after)} instead of ${words(before)}.`
  if (path.join('.') === 'external.inputUrl') return `Messages are sent to ${words(after)}.`
  if (path.join('.') === 'external.retries' && isLess(after, before)) return undefined
  if (part === 'external' && field === 'redact') return ofRedact(item, change)
  if (path.join('.') === 'external.activeItem' && kind === 'removed' && before === 'everyMessage')
    return undefined
  if (path.join('.') === 'external.activeItem' && after === 'onChange') return undefined
  return unknownChange(change)
}

/** What only says something differently: names, words for people. Policies, and the order of tools, are judged by what they
 * come to, below. */
function isHarmless([part, field, item, ...rest]: string[]): boolean {
  if (part === 'displayName' || part === 'description') return true
  if (part !== 'chat') return false
  if (field !== undefined && ['starters', 'userAfterTools', 'toolCalling', 'answer'].includes(field))
    return true
  return field === 'tools' && item !== undefined && rest[0] === 'answer'
}

/** Lists whose order says nothing about what is allowed. */
const isOrderFree = (path: string[]): boolean => ['chat.tools', 'external.redact'].includes(path.join('.'))

function ofTool(name: string, [field, ...deeper]: string[], change: ConfigChange): string | undefined {
  const { kind, before, after } = change
  if (field === undefined) {
    if (kind === 'removed') return undefined
    const url = isJsonObject(after) && typeof after.url === 'string' ? after.url : undefined
    return url === undefined
      ? `The agent gets the tool ${name}.`
      : `The agent gets the tool ${name}, which calls ${url}.`
  }
  if (deeper.length > 0) return unknownChange(change)
  switch (field) {
    case 'approval':
      // Without one it is as the tool itself has it: at least as strict as `auto`, at most as strict as `ask`.
      if (after === 'ask' || before === 'auto' || after === before) return undefined
      return after === 'auto'
        ? `${name} runs without approval.`
        : `${name} needs approval only if the tool itself requires it.`
    case 'url':
      return `${name} calls ${words(after)}${before === undefined ? '' : ` instead of ${words(before)}`}.`
    // How long what it brought is read.
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

const limitWords: Record<string, string> = {
  stepsPerTurn: 'steps per turn',
  usdPerTurn: 'US dollars per turn',
  contextTokens: 'context tokens'
}

function ofLimit(name: string, change: ConfigChange): string | undefined {
  const { before, after } = change
  // No budget is the largest.
  const amount = (value: unknown) => (name === 'usdPerTurn' && value === 0 ? Infinity : value)
  const label = limitWords[name]
  if (label === undefined) return unknownChange(change)
  if (isLess(amount(after), amount(before))) return undefined
  if (amount(after) === Infinity) return 'The agent has no spending limit per turn.'
  return `The agent can use more ${label}: ${fromTo(change)}.`
}

/** A model that is counted as dearer reaches its budget sooner. */
function ofPrice({ kind, before, after }: ConfigChange): string | undefined {
  if (kind === 'changed' && isLess(before, after)) return undefined
  return 'The price changed, so the budget per turn can last longer.'
}

/** Whoever it hands to has tools of its own. */
function ofHandOffs({ kind, before, after }: ConfigChange): string | undefined {
  const had = new Set(Array.isArray(before) ? before : [before])
  const more = (Array.isArray(after) ? after : [after]).filter(one => one !== undefined && !had.has(one))
  return kind === 'removed' || kind === 'moved' || more.length === 0
    ? undefined
    : `The agent can hand off to ${more.map(words).join(', ')}.`
}

/** More that is kept back tells another system less. */
function ofRedact(name: string | undefined, { kind }: ConfigChange): string | undefined {
  if (kind === 'added') return undefined
  return name === undefined
    ? 'Different fields of active items are hidden from the external agent.'
    : `The external agent receives ${name} of active items.`
}

/** Who may answer: the agent's own policy, and that of each tool, which replaces it (`answerers.ts`). */
function policies(before: unknown, after: unknown): string[] {
  const [was, is] = [chatOf(before), chatOf(after)]
  const [own, now] = [was.answer, is.answer]
  const sentences = escalatesByPolicy(own, now, "the agent's requests")
  for (const [name, tool] of is.tools) {
    const known = was.tools.get(name)
    if (known !== undefined && name === commitRevisionTool) {
      const reviewers = [reviewersOf(known.answer, own), reviewersOf(tool.answer, now)] as const
      sentences.push(...escalatesByPolicy(...reviewers, `requests from ${name}`))
      continue
    }
    // Without one it is as what it embeds has it, which is not known here.
    if (known !== undefined && '@ag.embed' in tool && !isSame(known.answer, tool.answer)) {
      sentences.push(`The rule for who can answer requests from ${name} changed.`)
      continue
    }
    if (known === undefined || (known.answer === undefined && tool.answer === undefined)) continue
    sentences.push(...escalatesByPolicy(known.answer ?? own, tool.answer ?? now, `requests from ${name}`))
  }
  return sentences
}

type Answering = Record<string, unknown> & { answer?: Policy }

function chatOf(config: unknown): { answer?: Policy; tools: Map<string, Answering> } {
  const chat = isJsonObject(config) && isJsonObject(config.chat) ? config.chat : {}
  const tools = Array.isArray(chat.tools) ? chat.tools : []
  const named = tools.map(tool => [labelOf(tool), isJsonObject(tool) ? (tool as Answering) : {}] as const)
  return { ...(chat.answer === undefined ? {} : { answer: chat.answer as Policy }), tools: new Map(named) }
}

const unknownChange = ({ path, kind }: ConfigChange): string =>
  `${path.join(' › ')} was ${kind}, which can let the agent do more.`

const fromTo = ({ before, after }: ConfigChange): string =>
  before === undefined
    ? words(after)
    : after === undefined
      ? `the default instead of ${words(before)}`
      : `${words(after)} instead of ${words(before)}`

const isLess = (value: unknown, than: unknown): boolean =>
  typeof value === 'number' && typeof than === 'number' && value < than

const words = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
