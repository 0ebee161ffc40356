import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/**
 * The status line of an external agent: it says what the agent is doing. It is plain text, and is not shown after
 * `expiresAt`.
 */
export const AgentStatus = z.object({ text: z.string(), expiresAt: Time })
export type AgentStatus = z.infer<typeof AgentStatus>

/** Shows a line while the agent works. An empty `text` removes the line. `ttlSeconds` is how long the line is shown. */
export const StatusLine = z.strictObject({
  text: z.string().trim().max(200),
  ttlSeconds: z.int().min(1).max(3600).default(60)
})
export type StatusLine = z.infer<typeof StatusLine>

/** Sent after the line is stored in the log. `expiresAt` is absent if the line was removed. */
export const StatusReceipt = z.object({ ok: z.literal(true), expiresAt: Time.optional() })
export type StatusReceipt = z.infer<typeof StatusReceipt>
