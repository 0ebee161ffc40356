import { Speaker } from '@waystation/protocol/agent/hand-off.ts'
import { Call } from '@waystation/protocol/call/call.ts'
import { z } from 'zod'
import { SessionStatus, Snapshot } from './event.ts'
import { AttachmentLimits } from './file.ts'

/**
 * A session. Data of its agent is current, and absent after the agent was deleted. `agentRevision` is the revision of
 * its next step: the pinned one (`pinnedRevision`) or the published one (`publishedRevision`). A number below zero is a
 * snapshot of a draft. `overlaid`: an overlay changes the agent. `buildKit`: it contains the build kit. `trial`: the
 * session is in no list.
 */
export const Session = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string().optional(),
  agentRevision: z.int().optional(),
  publishedRevision: z.int().optional(),
  pinnedRevision: z.int().optional(),
  overlaid: z.literal(true).optional(),
  buildKit: z.literal(true).optional(),
  trial: z.literal(true).optional(),
  /** The agent that runs it, if it was handed off. */
  speaker: Speaker.optional(),
  title: z.string(),
  /** For a sub-agent's session: the session that it works for, if that still exists. */
  parent: z.object({ id: z.string(), title: z.string(), toolCallId: z.string() }).optional(),
  /** The session that it was branched from. `title` is absent if that was deleted. */
  branchedFrom: z.object({ sessionId: z.string(), title: z.string().optional() }).optional(),
  /** The attachments that messages can have. Absent: none, because its agent was deleted. */
  attaching: AttachmentLimits.optional(),
  status: SessionStatus,
  waitingFor: z.array(Call)
})
export type Session = z.infer<typeof Session>

/** A session with its snapshot. Events continue after `cursor`. */
export const SessionView = Snapshot.extend({ session: Session })
export type SessionView = z.infer<typeof SessionView>
