import { z } from 'zod'
import { SessionEvent } from './event.ts'

/** An event with its size in the log, in bytes. */
export const SizedEvent = z.intersection(SessionEvent, z.object({ bytes: z.int().min(0) }))
export type SizedEvent = z.infer<typeof SizedEvent>
