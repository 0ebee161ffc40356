import { AgentId } from '@waystation/protocol/agent/agent.ts'
import { OobStatus } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { SessionStatus } from '@waystation/protocol/session/event.ts'
import { z } from 'zod'

/** Arguments of `list_sessions`. */
export const ListForAgent = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Text to search for in IDs, titles and last messages.'),
  status: SessionStatus.optional().describe('Only sessions with this status. A parked session waits.'),
  agentId: AgentId.optional().describe('Only sessions of this agent.'),
  limit: z.int().min(1).max(50).default(20).describe('The maximum number of sessions.')
})
export type ListForAgent = z.infer<typeof ListForAgent>

/** `waitingFor` has the titles of the first five pending calls. `parentSessionId` is set for a sub-agent. */
export const AgentSessions = z.object({
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      title: z.string(),
      agentId: z.string(),
      status: SessionStatus,
      activeAt: z.string(),
      waitingFor: z.array(z.string()),
      parentSessionId: z.string().optional()
    })
  ),
  more: z.boolean()
})
export type AgentSessions = z.infer<typeof AgentSessions>

/**
 * `lastMessage.text` has at most 500 characters. `outOfBand` counts messages that its agent has not received: waiting,
 * and held for approval. `sentByYou` has the newest five messages from the caller's session, and their receipts.
 */
export const SessionState = z.object({
  sessionId: z.string(),
  title: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  status: SessionStatus,
  activeAt: z.string(),
  error: z.string().optional(),
  parentSessionId: z.string().optional(),
  pendingCalls: z.array(
    z.object({
      title: z.string(),
      toolName: z.string(),
      since: z.string(),
      sessionId: z.string().optional()
    })
  ),
  lastMessage: z
    .object({ role: z.enum(['user', 'assistant']), text: z.string(), createdAt: z.string().optional() })
    .optional(),
  outOfBand: z.object({ waiting: z.int(), held: z.int() }),
  sentByYou: z.array(
    z.object({ id: z.string(), status: OobStatus, content: z.string(), effect: z.string().optional() })
  )
})
export type SessionState = z.infer<typeof SessionState>
