import { decimal } from '@waystation/protocol/decimal.ts'
import { z } from 'zod'
import { Compaction } from './compaction.ts'
import { InSession } from './session-id.ts'

/** `shown` is how many of the newest entries to return (default: 50). Use 0 to get only the sizes. */
export const GetContext = InSession.extend({ shown: decimal(z.int().min(0).max(50)).optional() })
export type GetContext = z.infer<typeof GetContext>

/**
 * The parts of the next prompt in tokens, by the heuristic (001-17). `system` has the instructions and the server's
 * notes.
 */
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

/** A message as the model receives it. `cut` is the number of characters that were removed from its end. */
export const ShownMessage = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.unknown(),
  cut: z.int().optional()
})
export type ShownMessage = z.infer<typeof ShownMessage>

/**
 * The context window: what the model sees. Sizes are tokens by the heuristic (001-17), except `corrected`.
 * - `breakdown`: the complete prompt of the next step. `estimated` is its sum. `corrected` is the sum multiplied by
 *   `ratio`, which compares the provider's counts of recent steps with the heuristic. It must fit into `contextTokens`.
 * - `tokens`, `entries`: the size of the whole window. `shown` has its newest entries, oldest first.
 * - `summary` replaces older messages. `compaction` describes its newest part.
 * - `stillWaiting`: calls of an entry whose result remains "still waiting" there. If `answered`, the answer is a later
 *   entry.
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
