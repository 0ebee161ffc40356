import { z } from 'zod'

/** A message as the model is given it; `cut`: so many characters at its end are not told. */
export const ShownMessage = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.unknown(),
  cut: z.int().optional()
})
export type ShownMessage = z.infer<typeof ShownMessage>

/**
 * What the model is shown: the prompt window. Sizes are tokens by the heuristic (001-17).
 *
 * - `tokens`, `entries`: the whole window; `shown` are its newest entries, oldest first.
 * - `summary` stands for what the window has left behind.
 * - `stillWaiting` of an entry: calls whose result stays "still waiting" at this place; once `answered`, the true
 *   answer is an entry of its own further down.
 */
export const ContextView = z.object({
  tokens: z.int(),
  entries: z.int(),
  contextTokens: z.int().optional(),
  instructionsTokens: z.int().optional(),
  summary: z.object({ text: z.string(), tokens: z.int() }).optional(),
  shown: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(['user', 'step', 'answer', 'note', 'oob']),
      tokens: z.int(),
      stillWaiting: z.array(
        z.object({ toolCallId: z.string(), toolName: z.string(), answered: z.boolean() })
      ),
      messages: z.array(ShownMessage)
    })
  )
})
export type ContextView = z.infer<typeof ContextView>
