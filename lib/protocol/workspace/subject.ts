import { z } from 'zod'

export const DeleteSubject = z.object({ subject: z.string().min(1).max(255) })
export type DeleteSubject = z.infer<typeof DeleteSubject>

/**
 * What a request deleted of an end user. `elsewhere`: sessions that are not theirs, in which their name was taken out.
 * `remaining`: sessions that are still to be done, for the next request; 0: nothing of them is here any more.
 */
export const DeletedSubject = z.object({
  subject: z.string(),
  sessions: z.int(),
  tokens: z.int(),
  elsewhere: z.int(),
  remaining: z.int()
})
export type DeletedSubject = z.infer<typeof DeletedSubject>
