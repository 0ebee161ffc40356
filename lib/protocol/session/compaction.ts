import { z } from 'zod'
import { Time } from '#lib/protocol/time.ts'

/**
 * Old messages that left the prompt, and the summary that stands for them since (001-17). Nothing else of the session
 * changed: what people see stays as it is.
 *
 * - `messages`: how many entries of the model's context were left out.
 * - `tokensBefore`, `tokensAfter`: what they and the summary before came to in the prompt, and what the summary comes to.
 * - `madeBy`: `model`, or `words`: the first words of what people asked. `problem`: why the model's was not taken.
 * - `model`: whose it is.
 */
export const Compaction = z.object({
  compactionId: z.string(),
  messages: z.int(),
  tokensBefore: z.int(),
  tokensAfter: z.int(),
  madeBy: z.enum(['model', 'words']),
  model: z.string().optional(),
  problem: z.string().optional(),
  summary: z.string(),
  at: Time,
  ms: z.number().min(0)
})
export type Compaction = z.infer<typeof Compaction>
