import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/**
 * Events that a workspace can subscribe to.
 * - `call.opened`: a call waits for someone
 * - `call.expiring`: 80 % of a call's time has passed
 * - `call.settled`
 * - `turn.failed`: a turn failed and is not retried
 * - `session.parked`: a session waits and has nothing else to do
 * - `message.received`: an external agent replied
 * - `out_of_band.held`: an out-of-band message waits for approval
 */
export const WebhookEvent = z.enum([
  'call.opened',
  'call.expiring',
  'call.settled',
  'turn.failed',
  'session.parked',
  'message.received',
  'out_of_band.held'
])
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const Webhook = z.object({
  webhookId: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  createdBy: z.string(),
  createdAt: Time
})
export type Webhook = z.infer<typeof Webhook>

export const ListWebhooks = z.object({})
export type ListWebhooks = z.infer<typeof ListWebhooks>

/** Without `events`, the webhook receives all events. */
export const CreateWebhook = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2000),
  events: z
    .array(WebhookEvent)
    .min(1)
    .default([...WebhookEvent.options])
})
export type CreateWebhook = z.infer<typeof CreateWebhook>

/** `secret` signs requests (Standard Webhooks). Only this response contains it. */
export const CreatedWebhook = z.object({ webhook: Webhook, secret: z.string() })
export type CreatedWebhook = z.infer<typeof CreatedWebhook>

export const InWebhook = z.object({ webhookId: z.string().max(64) })
export type InWebhook = z.infer<typeof InWebhook>

/** `overlapSeconds` is how long earlier secrets stay valid. */
export const RotateWebhookSecret = InWebhook.extend({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 86400)
    .default(86400)
})
export type RotateWebhookSecret = z.infer<typeof RotateWebhookSecret>
