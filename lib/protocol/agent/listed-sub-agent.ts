import { z } from 'zod'
import { Call } from '#lib/protocol/call/call.ts'
import { SessionStatus } from '#lib/protocol/session/event.ts'
import { Time } from '#lib/protocol/time.ts'

/** An open call somewhere below a session, and in which one. */
export const CallBelow = z.object({ sessionId: z.string(), agentId: z.string(), call: Call })
export type CallBelow = z.infer<typeof CallBelow>

/** An agent that works, or worked, for another one's session. `atWork`: its result is not there yet. */
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

/** The newest first; `waiting`: what waits for somebody in their sessions and below, the nearest deadline first. */
export const SubAgents = z.object({ subAgents: z.array(SubAgent), waiting: z.array(CallBelow) })
export type SubAgents = z.infer<typeof SubAgents>
