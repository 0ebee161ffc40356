import { z } from 'zod'

/** `worker`: is any alive, in whichever process? Without one, messages are kept and nothing answers them. */
export const Health = z.object({
  status: z.enum(['ok', 'unavailable']),
  version: z.string(),
  database: z.string(),
  worker: z.string()
})
export type Health = z.infer<typeof Health>
