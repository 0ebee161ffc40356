import { decimal } from '@waystation/protocol/decimal.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import { InSession } from './session-id.ts'

/**
 * A stage of building a prompt (001-10), in order: the agent's `instructions`, the `history` (the context window after
 * any summary), each `plugin` that took part, and the `final` prompt.
 * - `messages`, `tokens`: the size after this stage, by the heuristic. Tools are not included.
 * - `outcome`: if the plugin `changed` the prompt, left it the `same` or `failed`.
 * - `model`: the plugin chose this model, as `provider/model`.
 * - `instructions`, `leftOut`: the plugin changed the instructions, or left out these tools.
 * - `ms`: duration in milliseconds.
 */
export const PromptState = z.object({
  stage: z.enum(['instructions', 'history', 'plugin', 'final']),
  plugin: z.string().optional(),
  outcome: z.enum(['same', 'changed', 'failed']).optional(),
  messages: z.int(),
  tokens: z.int(),
  summary: z.literal(true).optional(),
  model: z.string().optional(),
  instructions: z.literal(true).optional(),
  leftOut: z.array(z.string()).optional(),
  ms: z.int()
})
export type PromptState = z.infer<typeof PromptState>

/** Newest first. `before` is the `nextBefore` of the previous page. */
export const ListPrompts = InSession.extend({
  before: decimal(z.int().min(1)).optional(),
  messageId: z.string().max(128).optional(),
  limit: decimal(z.int().min(1).max(200)).default(50)
})
export type ListPrompts = z.infer<typeof ListPrompts>

/**
 * The prompt of a step, without its content.
 * - `messageId`: the agent's message that the step belongs to
 * - `round`: the number of the step in its turn, starting at 1
 * - `messages`: the number of messages
 * - `tokens`: the provider's count, with tools
 * - `cacheRead`, `cacheWrite`: the part of `tokens` that the provider read from its cache, and wrote to it
 * - `output`, `usd`: the tokens that the model generated, and the cost of the step in US dollars
 * - `estimated`: the heuristic's count, with tools
 * - `error`: the step failed after its prompt was ready. It has no provider's count, so `tokens` is 0
 */
export const ListedPrompt = z.object({
  promptId: z.int(),
  turnId: z.string(),
  messageId: z.string(),
  round: z.int(),
  at: Time,
  messages: z.int(),
  tokens: z.int(),
  cacheRead: z.int(),
  cacheWrite: z.int(),
  output: z.int(),
  usd: z.number(),
  estimated: z.int(),
  states: z.array(PromptState),
  error: z.object({ code: z.string(), message: z.string() }).optional()
})
export type ListedPrompt = z.infer<typeof ListedPrompt>

export const PromptPage = z.object({ prompts: z.array(ListedPrompt), nextBefore: z.int().nullable() })
export type PromptPage = z.infer<typeof PromptPage>

export const InPrompt = InSession.extend({ promptId: decimal(z.int().min(1)) })
export type InPrompt = z.infer<typeof InPrompt>

/** A tool as the model received it. */
export const ToldTool = z.object({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.unknown()
})
export type ToldTool = z.infer<typeof ToldTool>

/** A message as the model received it, in the AI SDK's format. `LeftOut` replaces files. */
export const PromptMessage = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.unknown()
})
export type PromptMessage = z.infer<typeof PromptMessage>

/** Replaces a file in a stored prompt, so that it is not stored twice. */
export type LeftOut = { leftOut: 'file'; mediaType?: string; bytes: number }

/**
 * A complete prompt. Its first `same` messages are identical to those of `previous`, the stored prompt before it.
 * `next` is the one after it.
 */
export const StoredPrompt = ListedPrompt.omit({ messages: true }).extend({
  instructions: z.string(),
  tools: z.array(ToldTool),
  messages: z.array(PromptMessage),
  same: z.int(),
  previous: z.int().optional(),
  next: z.int().optional()
})
export type StoredPrompt = z.infer<typeof StoredPrompt>

/** `text` is the message to preview, in addition to what the agent has received. At most 256 KiB. */
export const PreviewPrompt = InSession.extend({
  text: z
    .string()
    .max(256 * 1024)
    .default('')
})
export type PreviewPrompt = z.infer<typeof PreviewPrompt>

/** The prompt that the next step would send to `model`, as `provider/model`. */
export const PromptPreview = StoredPrompt.pick({
  instructions: true,
  tools: true,
  messages: true,
  states: true,
  estimated: true
}).extend({ model: z.string() })
export type PromptPreview = z.infer<typeof PromptPreview>
