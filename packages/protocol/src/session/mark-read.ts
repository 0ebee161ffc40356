import { z } from 'zod'
import { InSession } from './session-id.ts'

/** Marks a session as read up to a message. */
export const MarkRead = InSession.extend({ messageId: z.string().max(128) })
export type MarkRead = z.infer<typeof MarkRead>
