import { z } from 'zod'

/** `worker` reports if any process has a live worker. Without one, messages are stored but not processed. */
export const Health = z.object({
  status: z.enum(['ok', 'unavailable']),
  version: z.string(),
  database: z.string(),
  worker: z.string()
})
export type Health = z.infer<typeof Health>
