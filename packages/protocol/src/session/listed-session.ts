import { Call } from '@waystation/protocol/call/call.ts'
import { AgentStatus } from '@waystation/protocol/external-agent/agent-status.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import { SessionStatus, TurnError } from './event.ts'

/** A session in a list. `snippet` is the first sentence of its last message, as plain text. `waitingFor` has its open calls. */
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
  /** Its last delivery failed, and is not retried. */
  undelivered: z.literal(true).optional(),
  /**
   * Out-of-band messages that the agent has not received, and those that wait for approval. Absent if there are none.
   */
  outOfBand: z.object({ waiting: z.int().min(0), held: z.int().min(0) }).optional(),
  /** Running sub-agents at any depth, and pending calls in their sessions. Absent if there are none. */
  subAgents: z.object({ atWork: z.int().min(0), waiting: z.int().min(0) }).optional(),
  /** It has a reply that is newer than the last message that this member or API key has read. */
  unread: z.literal(true).optional(),
  /** The status line of its external agent. */
  agentStatus: AgentStatus.optional(),
  activeAt: Time,
  waitingFor: z.array(Call)
})
export type ListedSession = z.infer<typeof ListedSession>

/**
 * `nextCursor` is null on the last page. `agentsVersion` changes when an agent of the workspace is created, published
 * or drafted. A client then reloads what it shows of agents.
 */
export const SessionPage = z.object({
  sessions: z.array(ListedSession),
  nextCursor: z.string().nullable(),
  agentsVersion: z.string()
})
export type SessionPage = z.infer<typeof SessionPage>
