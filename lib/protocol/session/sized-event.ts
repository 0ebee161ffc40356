import { z } from 'zod'
import { SessionEvent } from './event.ts'

/** An event of the log, with the bytes that it takes there. */
export const SizedEvent = z.intersection(SessionEvent, z.object({ bytes: z.int().min(0) }))
export type SizedEvent = z.infer<typeof SizedEvent>
