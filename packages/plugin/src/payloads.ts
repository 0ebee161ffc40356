/** A tool call of a model. `arguments_json` is a JSON object. */
export type HookToolCall = { id: string; name: string; arguments_json: string }

/** A tool of a prompt. `parameters_json_schema` is a JSON Schema. */
export type HookTool = { name: string; description: string; parameters_json_schema: string }

/** A message of a prompt. `tool_call_id`: this message is the result of that call, with the role `user`. */
export type HookMessage = {
  role: 'system' | 'user' | 'assistant'
  content: string
  tool_calls?: HookToolCall[] | undefined
  tool_call_id?: string | undefined
}

/** The payload of each event that a hook receives. A turn is one model call with its tool calls. */
export type HookPayloads = {
  AGENT_START: { agent_name: string; input: string }
  AGENT_END: { agent_name: string; input: string }
  TURN_START: { agent_name: string; turn_number: number }
  TURN_END: { agent_name: string; turn_number: number }
  LLM_REQUEST: { model: string; messages: HookMessage[]; tools: HookTool[] }
  LLM_RESPONSE: { content: string; tool_calls: HookToolCall[]; finish_reason: string }
  TOOL_CALL: { tool_name: string; arguments_json: string }
  TOOL_RESULT: { tool_name: string; result_json: string; is_error: boolean }
  HANDOFF: { from_agent: string; to_agent: string; context: string }
}

/** The name of an event. */
export type HookName = keyof HookPayloads

/** A hook's decision. Nothing: continue. `modify` replaces the payload and has the same shape. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only watches has no return statement
export type HookResult<Payload> = void | undefined | 'CANCEL' | { modify: Payload }
