import { z } from 'zod'
import { Call } from './call.ts'
import { SessionStatus, Snapshot } from './event.ts'

/** What a session is; its agent's name and revision are those of now, and absent once the agent is gone. */
export const Session = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string().optional(),
  agentRevision: z.int().optional(),
  title: z.string(),
  status: SessionStatus,
  waitingFor: z.array(Call)
})
export type Session = z.infer<typeof Session>

/** A session at one moment, and what it is. `cursor`: its events go on after this one. */
export const SessionView = Snapshot.extend({ session: Session })
export type SessionView = z.infer<typeof SessionView>
