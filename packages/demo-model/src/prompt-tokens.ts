import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { countTokens } from './server.ts'

/** Estimated tokens of any file. The server estimates images the same way (001-17), but other files by their size. */
const FILE_TOKENS = 100

/** Estimates the input tokens of a model call with `countTokens`: messages, tools and the schemas of the tools. */
export function promptTokens({
  prompt,
  tools = []
}: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>): number {
  let tokens = tools.length ? countTokens(JSON.stringify(tools)) : 0
  for (const message of prompt) {
    if (message.role === 'system') tokens += countTokens(message.content)
    else for (const part of message.content) tokens += partTokens(part)
  }
  return tokens
}

type PromptPart = Exclude<LanguageModelV4CallOptions['prompt'][number], { role: 'system' }>['content'][number]

function partTokens(part: PromptPart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return countTokens(part.text)
    case 'file':
    case 'reasoning-file':
      return FILE_TOKENS
    case 'tool-call':
      return countTokens(part.toolName) + countTokens(JSON.stringify(part.input) ?? '')
    case 'tool-result':
      return countTokens(JSON.stringify(part.output))
    case 'tool-approval-response':
    case 'custom':
      return 0
  }
}
