import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/**
 * Records that old messages left the prompt and a summary replaced them (001-17). People still see the messages.
 * - `messages`: the number of entries that were removed from the model's context.
 * - `tokensBefore`: the size of those entries and the previous summary. `tokensAfter`: the size of the new summary.
 * - `madeBy`: `model`, or `words` (the start of each user message). `problem`: why the model's summary was not used.
 * - `model`: the model that wrote the summary.
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
