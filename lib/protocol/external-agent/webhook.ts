import { z } from 'zod'
import { Time } from '#lib/protocol/time.ts'

/**
 * What a workspace may be told of: a call that waits for somebody was opened, is at 80 % of its time, or was settled; a
 * turn failed for good; a session has nothing left to do but wait.
 */
export const WebhookEvent = z.enum([
  'call.opened',
  'call.expiring',
  'call.settled',
  'turn.failed',
  'session.parked'
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

/** All events unless it says which. */
export const CreateWebhook = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2000),
  events: z
    .array(WebhookEvent)
    .min(1)
    .default([...WebhookEvent.options])
})
export type CreateWebhook = z.infer<typeof CreateWebhook>

/** `secret` signs what is sent (Standard Webhooks); it is in this answer and nowhere else. */
export const CreatedWebhook = z.object({ webhook: Webhook, secret: z.string() })
export type CreatedWebhook = z.infer<typeof CreatedWebhook>

export const InWebhook = z.object({ webhookId: z.string().max(64) })
export type InWebhook = z.infer<typeof InWebhook>

export const RotateWebhookSecret = InWebhook.extend({
  overlapSeconds: z
    .int()
    .min(0)
    .max(30 * 86400)
    .default(86400)
})
export type RotateWebhookSecret = z.infer<typeof RotateWebhookSecret>
