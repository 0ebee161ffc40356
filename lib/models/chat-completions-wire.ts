import type { Wire } from './text-fast-path.ts'

/** What we read of a chunk of OpenAI's chat completions ("The chat completion chunk object"). */
type Sent = {
  error?: unknown
  usage?: unknown
  choices?: { delta?: Record<string, unknown>; finish_reason?: unknown; logprobs?: unknown }[]
}

/**
 * Chat completions: the words are the content of the first choice's delta. Content in parts and refusals are text too, but
 * of which length is not for us to say.
 */
export const chatCompletionsWire: Wire = event => {
  const data = event.slice('data: '.length, -2)
  if (event.startsWith(':') || data === '[DONE]') return { words: '' }
  if (!event.startsWith('data: {') || data.includes('\n')) return undefined
  const chunk = parsed(data)
  if (chunk === undefined) return undefined
  const [choice, ...others] = chunk.choices ?? []
  const { content, refusal, role: _, ...more } = choice?.delta ?? {}
  const words = content ?? ''
  if (typeof words !== 'string' || !isNothing([refusal])) return undefined
  const besides = [chunk.error, chunk.usage, choice?.finish_reason, choice?.logprobs, ...Object.values(more)]
  if (words === '' || others.length > 0 || !isNothing(besides)) return { words }
  return {
    words,
    carrying: carried => {
      const again = { ...chunk, choices: [{ ...choice, delta: { ...choice?.delta, content: carried } }] }
      return `data: ${JSON.stringify(again)}\n\n`
    }
  }
}

const isNothing = (values: unknown[]) => values.every(value => value === undefined || value === null)

/** What is not JSON is the provider's to complain of. */
function parsed(data: string): Sent | undefined {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
