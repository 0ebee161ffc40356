import type { PluginMessage } from './contract.ts'

/** A message part, as far as plugins read it. It covers the AI SDK's `ModelMessage` and the input of its models. */
type Part = {
  type: string
  text?: string
  filename?: string | undefined
  mediaType?: string | undefined
  toolCallId?: string
  toolName?: string
  input?: unknown
  output?: unknown
}
type PromptMessage = { role: 'system' | 'user' | 'assistant' | 'tool'; content: string | readonly Part[] }

/**
 * Converts a prompt to plugin messages (003-10): texts, calls with JSON arguments, and one user message per tool
 * result. The protocol has no files, so files are replaced by their names.
 */
export const pluginMessages = (prompt: readonly PromptMessage[]): PluginMessage[] =>
  prompt.flatMap(pluginMessagesOf)

/** Converts one message. Tool results become one message each. */
export function pluginMessagesOf({ role, content }: PromptMessage): PluginMessage[] {
  const parts: readonly Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  switch (role) {
    case 'system':
    case 'user':
      return [{ role, content: parts.map(partText).join('\n') }]
    case 'assistant': {
      const text = parts.filter(({ type }) => type === 'text').map(partText)
      const toolCalls = parts.flatMap(part =>
        part.type === 'tool-call'
          ? [
              {
                id: part.toolCallId ?? '',
                name: part.toolName ?? '',
                argumentsJson: JSON.stringify(part.input ?? {})
              }
            ]
          : []
      )
      return [{ role, content: text.join(''), ...(toolCalls.length > 0 && { toolCalls }) }]
    }
    case 'tool':
      return parts.flatMap(part => (part.type === 'tool-result' ? [resultMessage(part)] : []))
  }
}

/** Converts a tool result to a user message. */
export const resultMessage = ({ toolCallId = '', output }: Part): PluginMessage => ({
  role: 'user',
  content: resultOf(output as ToolOutput),
  toolCallId
})

function partText(part: Part): string {
  if (part.type === 'text') return part.text ?? ''
  if (part.type !== 'file' && part.type !== 'image') return ''
  return `[${part.filename ?? 'a file'}, ${part.mediaType ?? 'an image'}, not shown]`
}

type ToolOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'json' | 'error-json' | 'content'; value: unknown }
  | { type: 'execution-denied'; reason?: string }

function resultOf(output: ToolOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'execution-denied':
      return `It was denied${output.reason === undefined ? '.' : `: ${output.reason}`}`
    default:
      return JSON.stringify(output.value)
  }
}
