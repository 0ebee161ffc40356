import { z } from 'zod'
import { Call } from './call.ts'

/**
 * An open call and where it stands. `title` is the session's; the call's own is `callTitle`. `mine`: the one who asks may
 * answer it.
 */
export const WaitingCall = Call.extend({
  sessionId: z.string(),
  agentId: z.string(),
  title: z.string(),
  mine: z.boolean(),
  callTitle: z.string().optional()
})
export type WaitingCall = z.infer<typeof WaitingCall>

/** A page of them; `nextCursor` goes on from here, null when there are no more. */
export const WaitingPage = z.object({ calls: z.array(WaitingCall), nextCursor: z.string().nullable() })
export type WaitingPage = z.infer<typeof WaitingPage>
