import { z } from 'zod'
import { OutOfBand } from './out-of-band.ts'

/**
 * A held out-of-band message with its session (004-14). `title` is the session's title. `mine` is true if the caller
 * can approve the message.
 */
export const HeldMessage = OutOfBand.extend({
  sessionId: z.string(),
  agentId: z.string(),
  title: z.string(),
  mine: z.boolean()
})
export type HeldMessage = z.infer<typeof HeldMessage>
