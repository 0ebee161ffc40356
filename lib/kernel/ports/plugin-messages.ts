import type { PluginMessage } from './plugin-host.ts'

/** A part of a message, as far as plugins read it: of the AI SDK's `ModelMessage`, and of what its models are given. */
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
type Said = { role: 'system' | 'user' | 'assistant' | 'tool'; content: string | readonly Part[] }

/**
 * A prompt as plugins read it (003-10): texts, calls with their arguments as JSON, and each result of a tool as a message
 * of the user that names its call. Files are told by their names: the protocol has no place for them.
 */
export const pluginMessages = (prompt: readonly Said[]): PluginMessage[] => prompt.flatMap(pluginMessagesOf)

/** What one message is to plugins: one message, or one for each result. */
export function pluginMessagesOf({ role, content }: Said): PluginMessage[] {
  const parts: readonly Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  switch (role) {
    case 'system':
    case 'user':
      return [{ role, content: parts.map(wordsOf).join('\n') }]
    case 'assistant': {
      const text = parts.filter(({ type }) => type === 'text').map(wordsOf)
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

/** A result of a tool as a message of the user. */
export const resultMessage = ({ toolCallId = '', output }: Part): PluginMessage => ({
  role: 'user',
  content: resultOf(output as ToolOutput),
  toolCallId
})

function wordsOf(part: Part): string {
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
