import { MessageDelivery } from '@waystation/protocol/session/message-delivery.ts'
import { InSession } from '@waystation/protocol/session/session-id.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/**
 * One attempt to deliver something: when it started, its duration in milliseconds, and the response. `error` says why
 * it failed.
 */
export const DeliveryAttempt = z.object({
  at: Time,
  ms: z.number(),
  status: z.int().optional(),
  error: z.string().optional(),
  /** The first 2,000 characters of the response. */
  body: z.string().optional()
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

/**
 * A delivery to an external service, as clients see it. The payload, which contains the answer link, and the query of
 * the URL are left out. `nextAt` is the time of the next attempt. `withdrawn`: the call was settled before it was sent.
 * Times are ISO 8601.
 */
export const Delivery = z.object({
  id: z.string(),
  /** The subject of the delivery: an opened or settled call, a user message for an external agent, or a webhook. */
  toolCallId: z.string().optional(),
  messageId: z.string().optional(),
  webhookId: z.string().optional(),
  kind: z.enum(['call.opened', 'call.settled', 'message', 'webhook']),
  /** The webhook's event, such as `call.settled`. */
  event: z.string().optional(),
  to: z.string(),
  state: z.enum(['pending', 'delivered', 'failed', 'withdrawn']),
  attempts: z.array(DeliveryAttempt),
  /** Maximum number of attempts after the first. */
  retries: z.int(),
  createdAt: Time,
  nextAt: Time.optional()
})
export type Delivery = z.infer<typeof Delivery>

/** Sends a delivery again under the same ID. */
export const Redeliver = InSession.extend({ deliveryId: z.string().min(1).max(300) })
export type Redeliver = z.infer<typeof Redeliver>

/** Sends a message again that the external agent did not accept. */
export const ResendMessage = InSession.extend({ messageId: z.string().min(1).max(128) })
export type ResendMessage = z.infer<typeof ResendMessage>

/** The current delivery state of the message. */
export const Resent = z.object({ messageId: z.string(), state: MessageDelivery.shape.state })
export type Resent = z.infer<typeof Resent>

/** `cursor` is the `nextCursor` of the previous page. */
export const ListDeliveries = z.object({
  state: z.enum(['pending', 'delivered', 'failed', 'withdrawn']).optional(),
  cursor: z.string().max(600).optional()
})
export type ListDeliveries = z.infer<typeof ListDeliveries>

/** Deliveries with the IDs and titles of their sessions, and the tool of each call. `nextCursor` is null on the last page. */
export const DeliveryPage = z.object({
  deliveries: z.array(
    Delivery.extend({ sessionId: z.string(), title: z.string(), toolName: z.string().optional() })
  ),
  nextCursor: z.string().nullable()
})
export type DeliveryPage = z.infer<typeof DeliveryPage>
