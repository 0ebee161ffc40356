import { isDeepStrictEqual } from 'node:util'
import type { ModelMessage } from 'ai'
import type { HookPayloads } from '#lib/kernel/ports/hooks.ts'
import type { PluginMessage } from '#lib/kernel/ports/plugin-host.ts'
import { pluginMessages, pluginMessagesOf, resultMessage } from '#lib/kernel/ports/plugin-messages.ts'
import { type LifecycleMessage, parseJson } from './payloads.ts'

type Prompt = Pick<HookPayloads['beforeModel'], 'instructions' | 'messages'>
type ToolMessage = Extract<ModelMessage, { role: 'tool' }>
type ToolResult = Extract<ToolMessage['content'][number], { type: 'tool-result' }>

/** A prompt as plugins are told it: the instructions first, and each message in the words of 003-10. */
export function toldPrompt({ instructions, messages }: Prompt): LifecycleMessage[] {
  return [{ role: 'system', content: instructions }, ...pluginMessages(messages).map(told)]
}

/**
 * The prompt that a plugin made of `before`. A message that is as it was told is the very one it was, with its files and what
 * the provider wants to see again; one that is not has its words alone. Throws a sentence where a result has no call, or a call
 * no result.
 */
export function changedPrompt(before: Prompt, changed: readonly LifecycleMessage[]): Prompt {
  const first = changed.findIndex(({ role }) => role !== 'system')
  const head = changed.slice(0, first < 0 ? changed.length : first)
  const rest = changed.slice(head.length)
  const known = knownMessages(before.messages)
  const results = new Map(before.messages.flatMap(resultsOf).map(part => [part.toolCallId, part]))
  const messages: ModelMessage[] = []
  for (const said of rest) {
    const last = messages.at(-1)
    if (said.tool_call_id !== undefined) {
      const part = resultPart(said, results.get(said.tool_call_id))
      if (last?.role === 'tool') messages[messages.length - 1] = { ...last, content: [...last.content, part] }
      else messages.push({ role: 'tool', content: [part] })
    } else messages.push(known.take(said) ?? made(said))
  }
  checkPairs(messages)
  return { instructions: head.map(({ content }) => content).join('\n\n'), messages }
}

/** The messages there were, each found once by how it was told. Results are put together from their parts. */
function knownMessages(messages: readonly ModelMessage[]) {
  const left = messages.flatMap(message => {
    const [said] = message.role === 'tool' ? [] : pluginMessagesOf(message)
    return said === undefined ? [] : [{ message, said: told(said) }]
  })
  return {
    take(wanted: LifecycleMessage): ModelMessage | undefined {
      const at = left.findIndex(({ said }) => isDeepStrictEqual(said, wanted))
      return at < 0 ? undefined : left.splice(at, 1)[0]?.message
    }
  }
}

function made({ role, content, tool_calls: calls = [] }: LifecycleMessage): ModelMessage {
  if (role === 'system') throw new Error('A system message comes after other messages.')
  if (role === 'user') return { role, content }
  const text = content === '' ? [] : [{ type: 'text' as const, text: content }]
  return {
    role,
    content: [
      ...text,
      ...calls.map(({ id, name, arguments_json: json }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: parseJson(json, `The “arguments_json” of the call ${id}`)
      }))
    ]
  }
}

function resultPart({ content, tool_call_id }: LifecycleMessage, before: ToolResult | undefined): ToolResult {
  if (before === undefined)
    throw new Error(`A result refers to the call ${tool_call_id}, which does not exist.`)
  return resultMessage(before).content === content
    ? before
    : { ...before, output: { type: 'text', value: content } }
}

const resultsOf = (message: ModelMessage): ToolResult[] =>
  message.role === 'tool' ? message.content.filter(part => part.type === 'tool-result') : []

/** Providers refuse a result without its call before it, and a call without its result. */
function checkPairs(messages: readonly ModelMessage[]): void {
  const open = new Set<string>()
  for (const message of messages) {
    if (message.role === 'assistant' && typeof message.content !== 'string')
      for (const part of message.content) if (part.type === 'tool-call') open.add(part.toolCallId)
    for (const { toolCallId } of resultsOf(message))
      if (!open.delete(toolCallId))
        throw new Error(`The result of the call ${toolCallId} has no matching call before it.`)
  }
  const [without] = open
  if (without !== undefined) throw new Error(`The call ${without} has no result.`)
}

const told = ({ role, content, toolCalls, toolCallId }: PluginMessage): LifecycleMessage => ({
  role,
  content,
  ...(toolCalls !== undefined && {
    tool_calls: toolCalls.map(({ id, name, argumentsJson }) => ({ id, name, arguments_json: argumentsJson }))
  }),
  ...(toolCallId !== undefined && { tool_call_id: toolCallId })
})
