import { z } from 'zod'
import { Key } from '#lib/protocol/session/session.ts'

/**
 * Who replies and in which session, before the reply itself is read. `token`: the capability of the `callbackUrl`. Nothing
 * of it is judged before its sender is: a stranger is told `401`, whatever else is wrong.
 */
export const AdmitCallback = z.object({
  sessionId: z.string(),
  token: z.string().optional(),
  key: z.string().optional(),
  /** The header `Waystation-Message`: `<id>` adds to a reply that is being written, `<id>; done` ends it. */
  message: z.string().optional(),
  /** The three headers of a Standard Webhook. */
  webhookId: z.string().optional(),
  webhookTimestamp: z.string().optional(),
  webhookSignature: z.string().optional()
})
export type AdmitCallback = z.infer<typeof AdmitCallback>

/** A reply of an external agent; a `key` makes it once. */
export const ReceiveCallback = AdmitCallback.extend({ key: Key.optional(), text: z.string() })

/** The reply is in the log. */
export const CallbackReceipt = z.object({ ok: z.literal(true), messageId: z.string() })
export type CallbackReceipt = z.infer<typeof CallbackReceipt>
