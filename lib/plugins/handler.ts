import type { LanguageModelV4Message, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { PromptTool } from '#lib/kernel/ports/hooks.ts'

/** A message of a handler's prompt, in the format of the AI SDK's providers. The instructions are separate. */
export type HandlerMessage = Exclude<LanguageModelV4Message, { role: 'system' }>

/** The prompt of a step: `beforeModel` hooks have already run. */
export type HandlerPrompt = {
  instructions: string
  messages: readonly HandlerMessage[]
  tools: readonly PromptTool[]
}

/**
 * A part of a handler's answer: text, a call of one of the agent's tools, or a part of the model's stream that it
 * passes on.
 */
export type HandlerPart = string | { toolName: string; input: unknown } | LanguageModelV4StreamPart

/** A step that a handler answers. */
export type HandlerStep = HandlerPrompt & {
  workspaceId: string
  sessionId: string
  agentId: string
  /** Aborts when the turn is stopped. */
  signal: AbortSignal
  /** Calls the agent's model with the prompt of the step, or with these changes to it. Throws the model's errors. */
  model: (changes?: Partial<HandlerPrompt>) => AsyncGenerator<LanguageModelV4StreamPart>
}

/**
 * Answers the steps of an agent instead of its model (001-1, 001-2). The engine keeps the loop: it stores the step,
 * asks for approvals, runs the calls and starts the next step with their results, so a handler needs no state.
 */
export type Handler = (step: HandlerStep) => AsyncIterable<HandlerPart>
