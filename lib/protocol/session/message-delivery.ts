import { z } from 'zod'
import { Time } from '#lib/protocol/time.ts'

/**
 * Whether an external agent took a message: the data of the message's `data-delivery` part (000-14), which everyone in the session
 * sees. It never holds what the other system said.
 *
 * - `pending`: it is being sent, or will be sent again at `nextAt`. `delivered`: answered with a 2xx. `failed`: not sent again
 *   until someone asks for it.
 * - `reason`: why the last attempt failed: the status code, or `timeout`. Absent when there was no answer for another reason, such
 *   as a refused connection.
 * - `at`: when the last attempt ended.
 */
export const MessageDelivery = z.object({
  state: z.enum(['pending', 'delivered', 'failed']),
  reason: z.union([z.int(), z.literal('timeout')]).optional(),
  at: Time.optional(),
  nextAt: Time.optional()
})
export type MessageDelivery = z.infer<typeof MessageDelivery>
