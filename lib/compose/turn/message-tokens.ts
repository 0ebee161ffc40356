import type { ModelMessage } from 'ai'
import { countPartTokens } from '#lib/kernel/count-part-tokens.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'

/** How many tokens a message is by the heuristic of 001-17. What stays in the prompt is the same message: counted once. */
export function messageTokens(message: ModelMessage): number {
  const { content } = message
  const known =
    counted.get(message) ??
    (typeof content === 'string'
      ? countTokens(content)
      : content.reduce((sum, part) => sum + partTokens(part), 0))
  counted.set(message, known)
  return known
}
const counted = new WeakMap<ModelMessage, number>()

function partTokens(part: Exclude<ModelMessage['content'], string>[number]): number {
  if (part.type === 'text') return countTokens(part.text)
  if (part.type !== 'file') return countTokens(JSON.stringify(part))
  const { data, mediaType } = part
  return countPartTokens([{ type: 'file', mediaType, url: typeof data === 'string' ? data : '' }])
}
