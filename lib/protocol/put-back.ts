import { z } from 'zod'
import { InSession } from './session.ts'

/** Has what a compaction left out in the prompt again (001-17). */
export const PutBack = InSession.extend({ compactionId: z.string().max(64) })
export type PutBack = z.infer<typeof PutBack>

/** The prompt as it is with them: what it takes of `contextTokens`, if its agent says so, both corrected as people are shown. */
export const BackInPrompt = z.object({
  compactionId: z.string(),
  messages: z.int(),
  tokens: z.int(),
  contextTokens: z.int().optional()
})
export type BackInPrompt = z.infer<typeof BackInPrompt>
