import { Key } from '@waystation/protocol/idempotency-key.ts'
import { UploadFile } from '@waystation/protocol/session/file.ts'
import { wikitextType } from '@waystation/protocol/wiki/wikitext-type.ts'
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
  /** The header `Content-Type`, if the reply is wikitext. */
  contentType: z.literal(wikitextType).optional(),
  /** The three headers of Standard Webhooks. */
  webhookId: z.string().optional(),
  webhookTimestamp: z.string().optional(),
  webhookSignature: z.string().optional()
})
export type AuthenticateReply = z.infer<typeof AuthenticateReply>

/** A reply of an external agent. `key` makes it idempotent. */
export const ReceiveCallback = AuthenticateReply.extend({ key: Key.optional(), text: z.string() })

/**
 * A reply of an external agent as JSON. It needs `text` or `fileIds`, which are files that the agent uploaded to this
 * session. `inReplyTo` is the ID of the message that it answers.
 */
export const JsonReply = z.strictObject({
  text: z.string().default(''),
  inReplyTo: z.string().optional(),
  fileIds: z.array(z.string().max(64)).max(50).default([])
})
export type JsonReply = z.infer<typeof JsonReply>

/** A file that an external agent uploads for a reply. Its bytes are the body. */
export const UploadReplyFile = AuthenticateReply.pick({ token: true }).extend(UploadFile.shape)

/** A file that was sent to an external agent. `token` is the capability in the file's `url`. */
export const ReadSentFile = z.object({
  sessionId: z.string(),
  fileId: z.string().max(64),
  token: z.string().max(500).optional()
})
export type ReadSentFile = z.infer<typeof ReadSentFile>

/** Ends the task of a sub-agent. `output` is its result: text or any JSON. The headers are those of a reply. */
export const FinishTask = AuthenticateReply.omit({
  message: true,
  inReplyTo: true,
  contentType: true
}).extend({
  key: Key.optional(),
  output: z.unknown()
})

/** The body of `FinishTask`. */
export const TaskOutput = z.object({ output: z.unknown() })
export type TaskOutput = z.infer<typeof TaskOutput>

/** Sent after the reply is stored in the log. */
export const CallbackReceipt = z.object({ ok: z.literal(true), messageId: z.string() })
export type CallbackReceipt = z.infer<typeof CallbackReceipt>
