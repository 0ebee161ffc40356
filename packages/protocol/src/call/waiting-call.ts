import { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import { z } from 'zod'
import { Call } from './call.ts'

/**
 * A pending call with its session. `title` is the session's title and `callTitle` the call's own. `mine` is true if the
 * caller can answer it.
 */
export const WaitingCall = Call.extend({
  sessionId: z.string(),
  agentId: z.string(),
  title: z.string(),
  mine: z.boolean(),
  callTitle: z.string().optional()
})
export type WaitingCall = z.infer<typeof WaitingCall>

/**
 * `held` contains out-of-band messages that wait for approval, oldest first, at most 500. Only the first page has any.
 * `nextCursor` is null on the last page.
 */
export const WaitingPage = z.object({
  calls: z.array(WaitingCall),
  held: z.array(HeldMessage),
  nextCursor: z.string().nullable()
})
export type WaitingPage = z.infer<typeof WaitingPage>
