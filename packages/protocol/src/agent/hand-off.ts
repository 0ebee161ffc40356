import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/** The initiator of a handoff: the agent with its tool, a plugin after a step, or a person. */
export const HandOffInitiator = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('agent') }),
  z.object({ kind: z.literal('plugin'), name: z.string() }),
  z.object({ kind: z.literal('person'), name: z.string() })
])
export type HandOffInitiator = z.infer<typeof HandOffInitiator>

/** A handoff of a session to another agent of the workspace. That agent runs from the next step on. */
export const HandOff = z.object({
  from: z.string(),
  fromName: z.string(),
  to: z.string(),
  toName: z.string(),
  by: HandOffInitiator,
  reason: z.string().optional(),
  at: Time
})
export type HandOff = z.infer<typeof HandOff>

/** The agent that runs a session after a handoff. `external`: the session's messages are forwarded to it. */
export const Speaker = z.object({
  agentId: z.string(),
  displayName: z.string(),
  external: z.literal(true).optional()
})
export type Speaker = z.infer<typeof Speaker>

/** Maximum length of a reason, in characters. */
export const maxReasonChars = 500

/** Input of a handoff tool. */
export const HandOffInput = z.strictObject({
  reason: z
    .string()
    .max(maxReasonChars)
    .optional()
    .describe('The reason, in one sentence. The user and the next agent see it.')
})
export type HandOffInput = z.infer<typeof HandOffInput>

/** The result of a handoff tool. */
export const HandOffResult = z.object({ handedTo: z.string() })
export type HandOffResult = z.infer<typeof HandOffResult>

/** Returns the name of the tool that hands a session off to this agent (003-11). */
export const handOffToolOf = (agentId: string): string => `handoff_to_${agentId}`

/** True for the name of a handoff tool. */
export const isHandOff = (toolName: string): boolean => toolName.startsWith(handOffToolOf(''))

/** Maximum length of the ID of an agent that a session can be handed off to. Tool names have at most 64 characters. */
export const maxHandOffIdChars = 64 - handOffToolOf('').length

/** Hands a session off to another agent, on behalf of a person. */
export const HandOffSession = z.object({
  sessionId: z.string().max(128),
  agentId: z.string().max(64),
  reason: z.string().trim().min(1).max(maxReasonChars).optional()
})
export type HandOffSession = z.infer<typeof HandOffSession>

/** `speaker` runs the session from its next step on. */
export const SessionHandedOff = z.object({ sessionId: z.string(), speaker: Speaker })
export type SessionHandedOff = z.infer<typeof SessionHandedOff>
