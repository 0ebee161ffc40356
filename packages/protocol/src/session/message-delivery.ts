import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/**
 * The delivery of a message to an external agent: the data of the message's `data-delivery` part (000-14). Everyone in
 * the session sees it, so it never contains the external agent's response.
 * - `state`: `pending` is being sent, or will be sent again at `nextAt`. `delivered` got a 2xx response. `failed` is
 *   not sent again until a user requests it.
 * - `reason`: why the last attempt failed: the status code or `timeout`. Absent for other failures, such as a refused
 *   connection.
 * - `at`: when the last attempt ended.
 * - `stopped`: a user asked the external agent to stop after this message, and it had not replied.
 */
export const MessageDelivery = z.object({
  state: z.enum(['pending', 'delivered', 'failed']),
  reason: z.union([z.int(), z.literal('timeout')]).optional(),
  at: Time.optional(),
  nextAt: Time.optional(),
  stopped: z.literal(true).optional()
})
export type MessageDelivery = z.infer<typeof MessageDelivery>
