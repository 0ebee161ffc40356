import * as z from 'zod/mini'

/**
 * The render hint of a call whose MCP server asks the user a question while the call runs (elicitation, form mode).
 * - `schema`: the flat schema of the answer
 * - `order`: its fields in the server's order, which a stored schema does not preserve
 * - `question`: the ID of the question, which an answer must name
 */
export const ElicitHint = z.looseObject({
  kind: z.literal('elicit'),
  service: z.string(),
  message: z.string(),
  schema: z.record(z.string(), z.unknown()),
  order: z.array(z.string()),
  question: z.string()
})
export type ElicitHint = z.infer<typeof ElicitHint>

/** Returns the question that an MCP server asks during this call, or undefined if there is none. */
export const elicitHintOf = ({ render }: { render?: unknown }): ElicitHint | undefined =>
  ElicitHint.safeParse(render).data

/** A person's answer to one question: the completed form, or a refusal to answer. */
export type ElicitedReply = { action: 'accept'; content: Record<string, unknown> } | { action: 'decline' }

/** An answered question of a call. */
export type Elicited = { question: string; reply: ElicitedReply }
