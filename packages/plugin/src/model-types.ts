/** A message for a model. `toolCallId`: this message is the result of that call, with the role `user`. */
export type ModelMessage = {
  role: 'system' | 'user' | 'assistant'
  content: string
  toolCalls: { id: string; name: string; argumentsJson: string }[]
  toolCallId?: string | undefined
}

/** A tool that a model can call. `parameters` is a JSON Schema of type object. */
export type ModelTool = { name: string; description: string; parameters: Record<string, unknown> }

/** A request to a model. `model` is its name, without the name of the plugin. */
export type ModelRequest = {
  model: string
  messages: ModelMessage[]
  tools: ModelTool[]
  temperature?: number | undefined
  maxTokens?: number | undefined
  topP?: number | undefined
}

/**
 * A piece of a model's answer. The last one is `finish`: an answer without it is incomplete. Each piece of a tool
 * call has the call's `id`, the first one also its `name`. All chunks of a call together are JSON.
 */
export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; id: string; name?: string | undefined; chunk: string }
  | { type: 'usage'; inputTokens: number; outputTokens: number }
  | { type: 'finish'; reason: 'stop' | 'tool-use' | 'max-tokens' | 'other' }
