import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { withoutTags } from './tags.ts'
import { writeCalls, writeResult } from './write-calls.ts'

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>
type User = Extract<LanguageModelV4Message, { role: 'user' }>

/**
 * A prompt in which calls and results are words: calls the agent's own, results the next message to it. Messages of one role
 * in a row become one, since models without tools often want the two to take turns. No other text in it can be taken for a
 * call or a result.
 *
 * @param instructions what the model is told of its tools, behind its own instructions; nothing if empty
 */
export function writePrompt(prompt: LanguageModelV4Prompt, instructions: string): LanguageModelV4Prompt {
  const inputs = new Map<string, unknown>()
  const written: LanguageModelV4Prompt = []
  const system = prompt.findLastIndex(({ role }) => role === 'system')
  if (instructions !== '' && system === -1) written.push({ role: 'system', content: instructions })
  for (const [at, message] of prompt.entries()) {
    if (message.role === 'system') {
      const told = at === system && instructions !== ''
      written.push(told ? { ...message, content: `${message.content}\n\n${instructions}` } : message)
    } else if (message.role === 'assistant') add(written, asWords(message, inputs))
    else if (message.role === 'user') add(written, { ...message, content: message.content.map(unforged) })
    else {
      const results = message.content.flatMap(part =>
        part.type === 'tool-result' ? [writeResult(part, inputs.get(part.toolCallId))] : []
      )
      if (results.length > 0)
        add(written, { role: 'user', content: [{ type: 'text', text: results.join('\n') }] })
    }
  }
  return written
}

const unforged = <Part extends { type: string }>(part: Part): Part =>
  part.type === 'text' && 'text' in part ? { ...part, text: withoutTags(String(part.text)) } : part

/** What the agent said, with its calls as words at their places; what they were called with is noted in `inputs`. */
function asWords(message: Assistant, inputs: Map<string, unknown>): Assistant {
  const content: Assistant['content'] = []
  for (let at = 0; at < message.content.length; ) {
    const rest = message.content.slice(at)
    const end = rest.findIndex(part => part.type !== 'tool-call')
    const calls = rest.slice(0, end === -1 ? rest.length : end).filter(part => part.type === 'tool-call')
    const [first] = rest
    if (calls.length === 0 && first !== undefined) {
      if (first.type === 'tool-result')
        content.push({ type: 'text', text: writeResult(first, inputs.get(first.toolCallId)) })
      else content.push(unforged(first))
    } else {
      for (const { toolCallId, input } of calls) inputs.set(toolCallId, input)
      content.push({ type: 'text', text: writeCalls(calls) })
    }
    at += Math.max(1, calls.length)
  }
  return { ...message, content: joined(content) }
}

/** Puts a message behind the others, or what it says at the end of the last one, if that is of the same role. */
function add(written: LanguageModelV4Prompt, message: Assistant | User): void {
  const last = written.at(-1)
  if (last?.role === 'user' && message.role === 'user')
    written[written.length - 1] = { ...last, content: joined([...last.content, ...message.content]) }
  else if (last?.role === 'assistant' && message.role === 'assistant')
    written[written.length - 1] = { ...last, content: joined([...last.content, ...message.content]) }
  else written.push(message)
}

/** Texts next to each other as one: some servers take a message's content as a single text only. */
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
