import type { Wire } from './text-fast-path.ts'

/** The fields that we read from a chunk of OpenAI's chat completions ("The chat completion chunk object"). */
type ChatChunk = {
  error?: unknown
  usage?: unknown
  choices?: { delta?: Record<string, unknown>; finish_reason?: unknown; logprobs?: unknown }[]
}

/**
 * Reads and writes text in chat completions: the content of the first choice's delta. Content in parts and
 * `refusal` are text too, but their length cannot be determined here, so they return undefined.
 */
export const chatCompletionsWire: Wire = event => {
  const data = event.slice('data: '.length, -2)
  if (event.startsWith(':') || data === '[DONE]') return { words: '' }
  if (!event.startsWith('data: {') || data.includes('\n')) return undefined
  const chunk = parsed(data)
  if (chunk === undefined) return undefined
  const [choice, ...others] = chunk.choices ?? []
  const { content, refusal, role: _, ...more } = choice?.delta ?? {}
  const text = content ?? ''
  if (typeof text !== 'string' || !areEmpty([refusal])) return undefined
  const otherFields = [
    chunk.error,
    chunk.usage,
    choice?.finish_reason,
    choice?.logprobs,
    ...Object.values(more)
  ]
  if (text === '' || others.length > 0 || !areEmpty(otherFields)) return { words: text }
  return {
    words: text,
    carrying: newText => {
      const copy = { ...chunk, choices: [{ ...choice, delta: { ...choice?.delta, content: newText } }] }
      return `data: ${JSON.stringify(copy)}\n\n`
    }
  }
}

const areEmpty = (values: unknown[]) => values.every(value => value === undefined || value === null)

/** Returns undefined for invalid JSON: the provider reports that error itself. */
function parsed(data: string): ChatChunk | undefined {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
