import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { withoutTags } from './tags.ts'
import { writeCalls, writeResult } from './write-calls.ts'

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>
type User = Extract<LanguageModelV4Message, { role: 'user' }>

/**
 * Rewrites a prompt so that calls and results are text: calls in the agent's messages, results in user
 * messages. Consecutive messages of one role are merged, because many models without tools require alternating
 * roles. No other text can be mistaken for a call or a result.
 *
 * @param instructions describe the tools, and follow the system message; empty: none
 */
export function writePrompt(prompt: LanguageModelV4Prompt, instructions: string): LanguageModelV4Prompt {
  const inputs = new Map<string, unknown>()
  const rewritten: LanguageModelV4Prompt = []
  const system = prompt.findLastIndex(({ role }) => role === 'system')
  if (instructions !== '' && system === -1) rewritten.push({ role: 'system', content: instructions })
  for (const [index, message] of prompt.entries()) {
    if (message.role === 'system') {
      const addsInstructions = index === system && instructions !== ''
      rewritten.push(
        addsInstructions ? { ...message, content: `${message.content}\n\n${instructions}` } : message
      )
    } else if (message.role === 'assistant') add(rewritten, callsAsText(message, inputs))
    else if (message.role === 'user') add(rewritten, { ...message, content: message.content.map(escaped) })
    else {
      const results = message.content.flatMap(part =>
        part.type === 'tool-result' ? [writeResult(part, inputs.get(part.toolCallId))] : []
      )
      if (results.length > 0)
        add(rewritten, { role: 'user', content: [{ type: 'text', text: results.join('\n') }] })
    }
  }
  return rewritten
}

const escaped = <Part extends { type: string }>(part: Part): Part =>
  part.type === 'text' && 'text' in part ? { ...part, text: withoutTags(String(part.text)) } : part

/** Converts the calls of an assistant message to text, in place. Stores their arguments in `inputs`. */
function callsAsText(message: Assistant, inputs: Map<string, unknown>): Assistant {
  const content: Assistant['content'] = []
  for (let position = 0; position < message.content.length; ) {
    const rest = message.content.slice(position)
    const end = rest.findIndex(part => part.type !== 'tool-call')
    const calls = rest.slice(0, end === -1 ? rest.length : end).filter(part => part.type === 'tool-call')
    const [first] = rest
    if (calls.length === 0 && first !== undefined) {
      if (first.type === 'tool-result')
        content.push({ type: 'text', text: writeResult(first, inputs.get(first.toolCallId)) })
      else content.push(escaped(first))
    } else {
      for (const { toolCallId, input } of calls) inputs.set(toolCallId, input)
      content.push({ type: 'text', text: writeCalls(calls) })
    }
    position += Math.max(1, calls.length)
  }
  return { ...message, content: joined(content) }
}

/** Appends a message, or merges it into the last one if that has the same role. */
function add(rewritten: LanguageModelV4Prompt, message: Assistant | User): void {
  const last = rewritten.at(-1)
  if (last?.role === 'user' && message.role === 'user')
    rewritten[rewritten.length - 1] = { ...last, content: joined([...last.content, ...message.content]) }
  else if (last?.role === 'assistant' && message.role === 'assistant')
    rewritten[rewritten.length - 1] = { ...last, content: joined([...last.content, ...message.content]) }
  else rewritten.push(message)
}

/** Merges adjacent texts, because some servers accept only one text per message. */
function joined<Part extends { type: string }>(content: readonly Part[]): Part[] {
  const parts: Part[] = []
  for (const part of content) {
    const last = parts.at(-1)
    if (last?.type === 'text' && part.type === 'text' && 'text' in last && 'text' in part)
      parts[parts.length - 1] = { ...last, text: `${last.text}\n\n${part.text}` }
    else parts.push(part)
  }
  return parts
}
