import { ConfigChange } from '@waystation/protocol/agent/comparison.ts'
import * as z from 'zod/mini'

/**
 * The change of a wiki that a call waits to make, for the person who approves it. `title`, `act` and `why` are the
 * texts of its card. `changes` compares the tiddler with its content when the call opened. Absent: the
 * differences are too long.
 */
export const WikiReview = z.object({
  kind: z.literal('wiki-change'),
  title: z.string(),
  act: z.string(),
  why: z.string(),
  changes: z.optional(z.array(ConfigChange))
})
export type WikiReview = z.infer<typeof WikiReview>
