import { z } from 'zod'
import { JsonSchema } from '#lib/protocol/agent/agent.ts'

/**
 * The render hint of a call in whose middle an MCP server asks a person something (elicitation, form mode): what it asks, the
 * flat schema of the answer and its fields in the server's order (which a stored schema forgets), and which of the call's
 * questions it is, which an answer names (`question`).
 */
export const ElicitHint = z.looseObject({
  kind: z.literal('elicit'),
  service: z.string(),
  message: z.string(),
  schema: JsonSchema,
  order: z.array(z.string()),
  question: z.string()
})
export type ElicitHint = z.infer<typeof ElicitHint>

/** What a call's server asks in its middle; undefined: nothing. */
export const elicitHintOf = ({ render }: { render?: unknown }): ElicitHint | undefined =>
  ElicitHint.safeParse(render).data

/** What a person said to one question: a form filled in, or no. */
export type ElicitedReply = { action: 'accept'; content: Record<string, unknown> } | { action: 'decline' }

/** A question of a call that was answered. */
export type Elicited = { question: string; reply: ElicitedReply }
