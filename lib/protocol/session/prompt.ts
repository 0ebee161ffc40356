import { z } from 'zod'
import { decimal } from '#lib/protocol/decimal.ts'
import { Time } from '#lib/protocol/time.ts'
import { InSession } from './session.ts'

/**
 * A state that a prompt came by while it was put together (001-10), in their order: the agent's `instructions`, the `history`
 * (the window, behind a summary where there is one), each `plugin` that steps in, and `final`, as it was sent. `messages`
 * and `tokens` are of the prompt as it was then: instructions and messages by the heuristic, without the tools. Of a plugin:
 * its name, whether it `changed` anything, did not (`same`) or `failed`, and what: other instructions, and which tools it
 * left out. `ms`: how long it took.
 */
export const PromptState = z.object({
  stage: z.enum(['instructions', 'history', 'plugin', 'final']),
  plugin: z.string().optional(),
  outcome: z.enum(['same', 'changed', 'failed']).optional(),
  messages: z.int(),
  tokens: z.int(),
  summary: z.literal(true).optional(),
  instructions: z.literal(true).optional(),
  leftOut: z.array(z.string()).optional(),
  ms: z.int()
})
export type PromptState = z.infer<typeof PromptState>

/** Newest first; `before`: a page further back, by the `nextBefore` of the one ahead. */
export const ListPrompts = InSession.extend({
  before: decimal(z.int().min(1)).optional(),
  messageId: z.string().max(128).optional(),
  limit: decimal(z.int().min(1).max(200)).default(50)
})
export type ListPrompts = z.infer<typeof ListPrompts>

/**
 * The prompt of a committed round, without its words. `messageId`: the agent's message that the round is part of. `round`:
 * which one of its turn, from 1. `messages`: how many there are. `tokens`: what the provider counted, and `estimated`
 * what the heuristic did, both with tools.
 */
export const ListedPrompt = z.object({
  promptId: z.int(),
  turnId: z.string(),
  messageId: z.string(),
  round: z.int(),
  at: Time,
  messages: z.int(),
  tokens: z.int(),
  estimated: z.int(),
  states: z.array(PromptState)
})
export type ListedPrompt = z.infer<typeof ListedPrompt>

export const PromptPage = z.object({ prompts: z.array(ListedPrompt), nextBefore: z.int().nullable() })
export type PromptPage = z.infer<typeof PromptPage>

export const InPrompt = InSession.extend({ promptId: decimal(z.int().min(1)) })
export type InPrompt = z.infer<typeof InPrompt>

/** A tool as the model was told of it. */
export const ToldTool = z.object({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.unknown()
})
export type ToldTool = z.infer<typeof ToldTool>

/** A message as the model got it, as the AI SDK has them. In the place of a file stand its kind and size: `LeftOut`. */
export const PromptMessage = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.unknown()
})
export type PromptMessage = z.infer<typeof PromptMessage>

/** What stands where a file was: it is not kept a second time. */
export type LeftOut = { leftOut: 'file'; mediaType?: string; bytes: number }

/**
 * A prompt whole. `same`: so many messages at the beginning are of the round before that is kept (`previous`), in the same order;
 * `next` is the one after it.
 */
export const KeptPrompt = ListedPrompt.omit({ messages: true }).extend({
  instructions: z.string(),
  tools: z.array(ToldTool),
  messages: z.array(PromptMessage),
  same: z.int(),
  previous: z.int().optional(),
  next: z.int().optional()
})
export type KeptPrompt = z.infer<typeof KeptPrompt>
