import { Call } from '@waystation/protocol/call/call.ts'
import { SessionStatus } from '@waystation/protocol/session/event.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/** An open call in a session below this one, at any depth. */
export const DescendantCall = z.object({ sessionId: z.string(), agentId: z.string(), call: Call })
export type DescendantCall = z.infer<typeof DescendantCall>

/** A sub-agent of a session. `atWork` is true until its result is delivered. */
export const SubAgent = z.object({
  sessionId: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  title: z.string(),
  status: SessionStatus,
  toolCallId: z.string(),
  atWork: z.boolean(),
  startedAt: Time
})
export type SubAgent = z.infer<typeof SubAgent>

/**
 * Sub-agents, newest first. `waiting` has the pending calls of their sessions and of all sessions below, nearest
 * deadline first.
 */
export const SubAgents = z.object({ subAgents: z.array(SubAgent), waiting: z.array(DescendantCall) })
export type SubAgents = z.infer<typeof SubAgents>
