import { isDeepStrictEqual } from 'node:util'
import type { PluginMessage } from '@waystation/plugin-host/contract.ts'
import { pluginMessages, pluginMessagesOf, resultMessage } from '@waystation/plugin-host/plugin-messages.ts'
import type { ModelMessage } from 'ai'
import type { HookPayloads } from '#lib/kernel/ports/hooks.ts'
import { type LifecycleMessage, parseJson } from './payloads.ts'

type Prompt = Pick<HookPayloads['beforeModel'], 'instructions' | 'messages'>
type ToolMessage = Extract<ModelMessage, { role: 'tool' }>
type ToolResult = Extract<ToolMessage['content'][number], { type: 'tool-result' }>

/**
 * Converts a prompt to the messages that plugins receive (003-10): the instructions first, then each message.
 */
export function toPluginPrompt({ instructions, messages }: Prompt): LifecycleMessage[] {
  return [{ role: 'system', content: instructions }, ...pluginMessages(messages).map(toLifecycle)]
}

/**
 * Converts a plugin's changed messages back to a prompt. An unchanged message keeps its files and provider
 * metadata; a changed or new one has only its text and calls. Throws an Error if a result has no call before
 * it, or a call has no result.
 */
export function fromPluginPrompt(original: Prompt, changed: readonly LifecycleMessage[]): Prompt {
  const first = changed.findIndex(({ role }) => role !== 'system')
  const system = changed.slice(0, first < 0 ? changed.length : first)
  const rest = changed.slice(system.length)
  const originals = knownMessages(original.messages)
  const results = new Map(original.messages.flatMap(resultsOf).map(part => [part.toolCallId, part]))
  const messages: ModelMessage[] = []
  for (const entry of rest) {
    const last = messages.at(-1)
    if (entry.tool_call_id !== undefined) {
      const part = resultPart(entry, results.get(entry.tool_call_id))
      if (last?.role === 'tool') messages[messages.length - 1] = { ...last, content: [...last.content, part] }
      else messages.push({ role: 'tool', content: [part] })
    } else messages.push(originals.take(entry) ?? newMessage(entry))
  }
  checkPairs(messages)
  return { instructions: system.map(({ content }) => content).join('\n\n'), messages }
}

/**
 * Indexes the original messages by their converted form, and returns each one only once. Results are rebuilt
 * from their parts instead.
 */
function knownMessages(messages: readonly ModelMessage[]) {
  const unused = messages.flatMap(message => {
    const [converted] = message.role === 'tool' ? [] : pluginMessagesOf(message)
    return converted === undefined ? [] : [{ message, said: toLifecycle(converted) }]
  })
  return {
    take(message: LifecycleMessage): ModelMessage | undefined {
      const index = unused.findIndex(({ said }) => isDeepStrictEqual(said, message))
      return index < 0 ? undefined : unused.splice(index, 1)[0]?.message
    }
  }
}

function newMessage({ role, content, tool_calls: calls = [] }: LifecycleMessage): ModelMessage {
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

function resultPart(
  { content, tool_call_id }: LifecycleMessage,
  original: ToolResult | undefined
): ToolResult {
  if (original === undefined)
    throw new Error(`A result refers to the call ${tool_call_id}, which does not exist.`)
  return resultMessage(original).content === content
    ? original
    : { ...original, output: { type: 'text', value: content } }
}

const resultsOf = (message: ModelMessage): ToolResult[] =>
  message.role === 'tool' ? message.content.filter(part => part.type === 'tool-result') : []

/** Providers reject a result without its call before it, and a call without its result. */
function checkPairs(messages: readonly ModelMessage[]): void {
  const open = new Set<string>()
  for (const message of messages) {
    if (message.role === 'assistant' && typeof message.content !== 'string')
      for (const part of message.content) if (part.type === 'tool-call') open.add(part.toolCallId)
    for (const { toolCallId } of resultsOf(message))
      if (!open.delete(toolCallId))
        throw new Error(`The result of the call ${toolCallId} has no matching call before it.`)
  }
  const [unanswered] = open
  if (unanswered !== undefined) throw new Error(`The call ${unanswered} has no result.`)
}

const toLifecycle = ({ role, content, toolCalls, toolCallId }: PluginMessage): LifecycleMessage => ({
  role,
  content,
  ...(toolCalls !== undefined && {
    tool_calls: toolCalls.map(({ id, name, argumentsJson }) => ({ id, name, arguments_json: argumentsJson }))
  }),
  ...(toolCallId !== undefined && { tool_call_id: toolCallId })
})
