import { z } from 'zod'
import { Key } from './session.ts'

/** Who replies and in which session, before the reply itself is read. `token`: the capability of the `callbackUrl`. */
export const AdmitCallback = z.object({
  sessionId: z.string().max(128),
  token: z.string().max(300).optional(),
  key: Key.optional(),
  /** The header `Waystation-Message`: `<id>` adds to a reply that is being written, `<id>; done` ends it. */
  message: z.string().max(200).optional(),
  /** The three headers of a Standard Webhook. */
  webhookId: Key.optional(),
  webhookTimestamp: z.string().max(20).optional(),
  webhookSignature: z.string().max(2000).optional()
})
export type AdmitCallback = z.infer<typeof AdmitCallback>

/** A reply of an external agent; a `key` makes it once. */
export const ReceiveCallback = AdmitCallback.extend({ text: z.string() })

/** The reply is in the log. */
export const CallbackReceipt = z.object({ ok: z.literal(true), messageId: z.string() })
export type CallbackReceipt = z.infer<typeof CallbackReceipt>
