import { z } from 'zod'

export const FinalAnswer = z.strictObject({
  answer: z.string().trim().min(1).max(100_000).describe('Your final answer, exactly as the user reads it.')
})
export type FinalAnswer = z.infer<typeof FinalAnswer>
