import { z } from 'zod'

export const DeleteSubject = z.object({ subject: z.string().min(1).max(255) })
export type DeleteSubject = z.infer<typeof DeleteSubject>

/**
 * The deleted data of an end user. `elsewhere` counts other sessions, from which the end user's name was removed.
 * `remaining` counts sessions that are left for the next request. At 0, all data is deleted.
 */
export const DeletedSubject = z.object({
  subject: z.string(),
  sessions: z.int(),
  tokens: z.int(),
  elsewhere: z.int(),
  remaining: z.int()
})
export type DeletedSubject = z.infer<typeof DeletedSubject>
