import { z } from 'zod'

/** The tool with which an agent gives the final answer of a turn (001-20). */
export const summaryTool = 'summary'

export const FinalAnswer = z.strictObject({
  answer: z.string().trim().min(1).max(100_000).describe('Your final answer, exactly as the user reads it.')
})
export type FinalAnswer = z.infer<typeof FinalAnswer>
