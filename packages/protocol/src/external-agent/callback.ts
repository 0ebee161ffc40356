import { Key } from '@waystation/protocol/idempotency-key.ts'
import { z } from 'zod'

/**
 * Identifies the sender and session of a reply, before the reply is read. `token` is the capability in `callbackUrl`.
 * The sender is checked before anything else, so an unknown sender always gets `401`.
 */
export const AuthenticateReply = z.object({
  sessionId: z.string(),
  token: z.string().optional(),
  key: z.string().optional(),
  /** The header `Waystation-Message`: `<id>` appends to a reply, and `<id>; done` completes it. */
  message: z.string().optional(),
  /** The header `Waystation-In-Reply-To`: the ID of the user's message that the reply answers. */
  inReplyTo: z.string().optional(),
  /** The three headers of Standard Webhooks. */
  webhookId: z.string().optional(),
  webhookTimestamp: z.string().optional(),
  webhookSignature: z.string().optional()
})
export type AuthenticateReply = z.infer<typeof AuthenticateReply>

/** A reply of an external agent. `key` makes it idempotent. */
export const ReceiveCallback = AuthenticateReply.extend({ key: Key.optional(), text: z.string() })

/** Ends the task of a sub-agent. `output` is its result: text or any JSON. The headers are those of a reply. */
export const FinishTask = AuthenticateReply.omit({ message: true, inReplyTo: true }).extend({
  key: Key.optional(),
  output: z.unknown()
})

/** The body of `FinishTask`. */
export const TaskOutput = z.object({ output: z.unknown() })

/** Sent after the reply is stored in the log. */
export const CallbackReceipt = z.object({ ok: z.literal(true), messageId: z.string() })
export type CallbackReceipt = z.infer<typeof CallbackReceipt>
