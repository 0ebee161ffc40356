import { z } from 'zod'

/** Seconds until an out-of-band message expires that the agent has not received: up to 30 days. `null`: never. */
export const OobTtl = z
  .int({ error: 'must be a whole number of seconds, like 3600' })
  .min(1, 'must be at least 1 second')
  .max(30 * 86_400, 'must be at most 2592000 seconds (30 days)')
  .nullable()
