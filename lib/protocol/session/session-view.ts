import { z } from 'zod'
import { Speaker } from '#lib/protocol/agent/hand-off.ts'
import { Call } from '#lib/protocol/call/call.ts'
import { SessionStatus, Snapshot } from './event.ts'
import { Attaching } from './file.ts'

/**
 * What a session is; what it says of its agent is as of now, and absent once the agent is gone. `agentRevision`: what its next
 * step runs on, the one that it is pinned to (`pinnedRevision`) or the published one (`publishedRevision`). `overlaid`: with
 * something laid over it.
 */
export const Session = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string().optional(),
  agentRevision: z.int().optional(),
  publishedRevision: z.int().optional(),
  pinnedRevision: z.int().optional(),
  overlaid: z.literal(true).optional(),
  /** Who speaks in it, where it was handed to another agent than its own. */
  speaker: Speaker.optional(),
  title: z.string(),
  /** Of a sub-agent's: the session that it works for, while that is there. */
  parent: z.object({ id: z.string(), title: z.string(), toolCallId: z.string() }).optional(),
  /** What it began as a copy of, with its title if it is still there. */
  branchedFrom: z.object({ sessionId: z.string(), title: z.string().optional() }).optional(),
  /** What may be attached to a message; absent: nothing (its agent is another system, or gone). */
  attaching: Attaching.optional(),
  status: SessionStatus,
  waitingFor: z.array(Call)
})
export type Session = z.infer<typeof Session>

/** A session at one moment, and what it is. `cursor`: its events go on after this one. */
export const SessionView = Snapshot.extend({ session: Session })
export type SessionView = z.infer<typeof SessionView>
