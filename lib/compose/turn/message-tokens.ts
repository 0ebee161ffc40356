import type { ModelMessage } from 'ai'
import { countPartTokens } from '#lib/kernel/count-part-tokens.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'

/**
 * Returns the number of tokens of a message by the heuristic of 001-17. The result is cached by message object,
 * because messages that stay in the prompt are the same objects.
 */
export function messageTokens(message: ModelMessage): number {
  const cached = cache.get(message)
  if (cached !== undefined) return cached
  const { content } = message
  const tokens =
    typeof content === 'string'
      ? countTokens(content)
      : content.reduce((sum, part) => sum + partTokens(part), 0)
  cache.set(message, tokens)
  return tokens
}
const cache = new WeakMap<ModelMessage, number>()

function partTokens(part: Exclude<ModelMessage['content'], string>[number]): number {
  if (part.type === 'text') return countTokens(part.text)
  if (part.type !== 'file') return countTokens(JSON.stringify(part))
  const { data, mediaType } = part
  return countPartTokens([{ type: 'file', mediaType, url: typeof data === 'string' ? data : '' }])
}
