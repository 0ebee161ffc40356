import { z } from 'zod'
import { Time } from '#lib/protocol/time.ts'

/** Who handed a session over: its agent by its tool, a plugin after a round, or a person. */
export const HandedBy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('agent') }),
  z.object({ kind: z.literal('plugin'), name: z.string() }),
  z.object({ kind: z.literal('person'), name: z.string() })
])
export type HandedBy = z.infer<typeof HandedBy>

/** Another agent of the workspace took a session over: from its next step on it is the one that speaks there. */
export const HandOff = z.object({
  from: z.string(),
  fromName: z.string(),
  to: z.string(),
  toName: z.string(),
  by: HandedBy,
  reason: z.string().optional(),
  at: Time
})
export type HandOff = z.infer<typeof HandOff>

/** Who speaks in a session that was handed to another agent than its own. */
export const Speaker = z.object({ agentId: z.string(), displayName: z.string() })
export type Speaker = z.infer<typeof Speaker>

/** The longest reason, in characters. */
export const longestReason = 500

/** What an agent says when it hands over. */
export const HandOffInput = z.strictObject({
  reason: z
    .string()
    .max(longestReason)
    .optional()
    .describe('The reason, in one sentence. The user and the next agent see it.')
})
export type HandOffInput = z.infer<typeof HandOffInput>

export const HandedOff = z.object({ handedTo: z.string() })
export type HandedOff = z.infer<typeof HandedOff>

/** The tool by which an agent hands over to another one (003-11). */
export const handOffToolOf = (agentId: string): string => `handoff_to_${agentId}`

/** Whether a tool hands over. */
export const isHandOff = (toolName: string): boolean => toolName.startsWith(handOffToolOf(''))

/** The longest ID of an agent that can be handed to: models take tools' names of at most 64 characters. */
export const longestHandOff = 64 - handOffToolOf('').length

export const HandSession = z.object({
  sessionId: z.string().max(128),
  agentId: z.string().max(64),
  reason: z.string().trim().min(1).max(longestReason).optional()
})
export type HandSession = z.infer<typeof HandSession>

/** Who speaks in it from its next step on. */
export const SessionHanded = z.object({ sessionId: z.string(), speaker: Speaker })
export type SessionHanded = z.infer<typeof SessionHanded>
