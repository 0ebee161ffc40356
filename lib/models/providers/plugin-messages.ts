import type { LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { PluginMessage } from '#lib/kernel/plugin-host.ts'

/**
 * A prompt as plugins' models read it (003-10): texts, calls with their arguments as JSON, and each result of a tool as a message
 * of the user that names its call. Files are told by their names: the protocol has no place for them.
 */
export function pluginMessages(prompt: LanguageModelV4Prompt): PluginMessage[] {
  return prompt.flatMap(messagesOf)
}

function messagesOf(message: LanguageModelV4Prompt[number]): PluginMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user':
      return [{ role: 'user', content: message.content.map(wordsOf).join('\n') }]
    case 'assistant': {
      const text = message.content.filter(({ type }) => type === 'text').map(wordsOf)
      const toolCalls = message.content.flatMap(part =>
        part.type === 'tool-call'
          ? [{ id: part.toolCallId, name: part.toolName, argumentsJson: JSON.stringify(part.input ?? {}) }]
          : []
      )
      return [{ role: 'assistant', content: text.join(''), ...(toolCalls.length > 0 && { toolCalls }) }]
    }
    case 'tool':
      return message.content.flatMap(part =>
        part.type === 'tool-result'
          ? [{ role: 'user' as const, content: resultOf(part.output), toolCallId: part.toolCallId }]
          : []
      )
  }
}

function wordsOf(part: {
  type: string
  text?: string
  filename?: string | undefined
  mediaType?: string
}): string {
  if (part.type === 'text') return part.text ?? ''
  return part.type === 'file' ? `[${part.filename ?? 'a file'}, ${part.mediaType}, not shown]` : ''
}

function resultOf(output: LanguageModelV4ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    case 'execution-denied':
      return `It was denied${output.reason === undefined ? '.' : `: ${output.reason}`}`
    case 'content':
      return JSON.stringify(output.value)
  }
}
