import { z } from 'zod'
import { MessageDelivery } from '#lib/protocol/session/message-delivery.ts'
import { InSession } from '#lib/protocol/session/session.ts'
import { Time } from '#lib/protocol/time.ts'

/** One try to send something: when it began, how long it took, and what was answered. `error` says why it failed. */
export const DeliveryAttempt = z.object({
  at: Time,
  ms: z.number(),
  status: z.int().optional(),
  error: z.string().optional(),
  /** The first 2,000 characters of what was answered. */
  body: z.string().optional()
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

/**
 * Something sent out to another system, as every client sees it: never what was sent, which holds the answer link, nor
 * what an address has behind its path. `nextAt`: when it is tried again. `withdrawn`: its call was settled before it was sent. Times are ISO 8601.
 */
export const Delivery = z.object({
  id: z.string(),
  /** What it is about: a call that was opened, a person's message to an external agent, or whom it tells of something. */
  toolCallId: z.string().optional(),
  messageId: z.string().optional(),
  webhookId: z.string().optional(),
  kind: z.enum(['call.opened', 'message', 'webhook']),
  /** What a webhook tells of: `call.settled`. */
  event: z.string().optional(),
  to: z.string(),
  state: z.enum(['pending', 'delivered', 'failed', 'withdrawn']),
  attempts: z.array(DeliveryAttempt),
  /** How many more tries there may be after the first. */
  retries: z.int(),
  createdAt: Time,
  nextAt: Time.optional()
})
export type Delivery = z.infer<typeof Delivery>

export const Redeliver = InSession.extend({ deliveryId: z.string().min(1).max(300) })
export type Redeliver = z.infer<typeof Redeliver>

export const ResendMessage = InSession.extend({ messageId: z.string().min(1).max(128) })
export type ResendMessage = z.infer<typeof ResendMessage>

/** How the delivery of the message stands now. */
export const Resent = z.object({ messageId: z.string(), state: MessageDelivery.shape.state })
export type Resent = z.infer<typeof Resent>

/** `cursor`: where the last page ended. */
export const ListDeliveries = z.object({
  state: z.enum(['pending', 'delivered', 'failed', 'withdrawn']).optional(),
  cursor: z.string().max(600).optional()
})
export type ListDeliveries = z.infer<typeof ListDeliveries>

/** A page of them, each with its session; `nextCursor` goes on from here, null when there are no more. */
export const DeliveryPage = z.object({
  deliveries: z.array(Delivery.extend({ sessionId: z.string() })),
  nextCursor: z.string().nullable()
})
export type DeliveryPage = z.infer<typeof DeliveryPage>
