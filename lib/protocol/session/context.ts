import { z } from 'zod'
import { decimal } from '#lib/protocol/decimal.ts'
import { Compaction } from './compaction.ts'
import { InSession } from './session.ts'

/** `shown`: how many of the newest entries are told, 50 if nothing is said; 0 for whoever wants the figures alone. */
export const GetContext = InSession.extend({ shown: decimal(z.int().min(0).max(50)).optional() })
export type GetContext = z.infer<typeof GetContext>

/** Of what the next prompt is made, in tokens by the heuristic (001-17). `system`: instructions, and the server's own notes. */
export const TokenBreakdown = z.object({
  system: z.int(),
  tools: z.int(),
  summary: z.int(),
  user: z.int(),
  assistant: z.int(),
  toolResults: z.int(),
  outOfBand: z.int()
})
export type TokenBreakdown = z.infer<typeof TokenBreakdown>

/** A message as the model is given it; `cut`: so many characters at its end are not told. */
export const ShownMessage = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.unknown(),
  cut: z.int().optional()
})
export type ShownMessage = z.infer<typeof ShownMessage>

/**
 * What the model is shown: the prompt window. Sizes are tokens by the heuristic (001-17), but for `corrected`.
 *
 * - `breakdown`: the whole prompt as the next step would send it; `estimated` is its sum, `corrected` the same by what the
 *   provider reported of the newest steps, where a token of the heuristic was `ratio`. It is to fit into `contextTokens`.
 * - `tokens`, `entries`: the whole window; `shown` are its newest entries, oldest first.
 * - `summary` stands for what the window has left behind; `compaction`, how the newest part of it was made.
 * - `stillWaiting` of an entry: calls whose result stays "still waiting" at this place; once `answered`, the true
 *   answer is an entry of its own further down.
 */
export const ContextView = z.object({
  tokens: z.int(),
  entries: z.int(),
  breakdown: TokenBreakdown,
  estimated: z.int(),
  corrected: z.int(),
  ratio: z.number(),
  contextTokens: z.int().optional(),
  instructionsTokens: z.int().optional(),
  summary: z.object({ text: z.string(), tokens: z.int() }).optional(),
  compaction: Compaction.pick({ compactionId: true, messages: true, madeBy: true, at: true }).optional(),
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
