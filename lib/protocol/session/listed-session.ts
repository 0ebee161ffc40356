import { z } from 'zod'
import { Call } from '#lib/protocol/call/call.ts'
import { Time } from '#lib/protocol/time.ts'
import { SessionStatus, TurnError } from './event.ts'

/** A session as a list shows it: `snippet` is the beginning of its last message, `waitingFor` its open calls. */
export const ListedSession = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  title: z.string(),
  snippet: z.string(),
  status: SessionStatus,
  subject: z.string().optional(),
  error: TurnError.optional(),
  retryAt: Time.optional(),
  /** What it sent out last was not accepted by the other system, and is not tried again by itself. */
  undelivered: z.literal(true).optional(),
  /** What waits to be told to its agent out of band, and what is held until somebody lets it in; absent when nothing does. */
  outOfBand: z.object({ waiting: z.int().min(0), held: z.int().min(0) }).optional(),
  /** Its sub-agents at work, however deep, and how many calls in their sessions wait for somebody; absent when there are none. */
  subAgents: z.object({ atWork: z.int().min(0), waiting: z.int().min(0) }).optional(),
  activeAt: Time,
  waitingFor: z.array(Call)
})
export type ListedSession = z.infer<typeof ListedSession>

/**
 * A page of them; `nextCursor` goes on from here, null when there are no more. `agentsVersion` is another text once an agent of
 * the workspace was made, published or drafted: whoever keeps a list fresh knows by it that what it shows of agents is not.
 */
export const SessionPage = z.object({
  sessions: z.array(ListedSession),
  nextCursor: z.string().nullable(),
  agentsVersion: z.string()
})
export type SessionPage = z.infer<typeof SessionPage>
