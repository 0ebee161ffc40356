import type { LifecycleType } from '@waystation/plugin-host/contract.ts'
import { problemsOf } from '@waystation/protocol/field-errors.ts'
import { z } from 'zod'

const Call = z.object({ id: z.string(), name: z.string(), arguments_json: z.string() })

/**
 * A message of a prompt, as in a plugin's model (003-10). `tool_call_id`: this message is the result of that
 * call.
 */
export const LifecycleMessage = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
  tool_calls: z.array(Call).optional(),
  tool_call_id: z.string().optional()
})
export type LifecycleMessage = z.infer<typeof LifecycleMessage>

/** A tool as in `ToolDefinition`. */
const Tool = z.object({ name: z.string(), description: z.string(), parameters_json_schema: z.string() })

/** The payload of each event (003-16), which also validates a modified payload. */
export const lifecyclePayloads = {
  AGENT_START: z.object({ agent_name: z.string(), input: z.string() }),
  AGENT_END: z.object({ agent_name: z.string(), input: z.string() }),
  TURN_START: z.object({ agent_name: z.string(), turn_number: z.int() }),
  TURN_END: z.object({ agent_name: z.string(), turn_number: z.int() }),
  LLM_REQUEST: z.object({
    model: z.string(),
    messages: z.array(LifecycleMessage),
    tools: z.array(Tool)
  }),
  LLM_RESPONSE: z.object({ content: z.string(), tool_calls: z.array(Call), finish_reason: z.string() }),
  TOOL_CALL: z.object({ tool_name: z.string(), arguments_json: z.string() }),
  TOOL_RESULT: z.object({ tool_name: z.string(), result_json: z.string(), is_error: z.boolean() }),
  HANDOFF: z.object({ from_agent: z.string(), to_agent: z.string(), context: z.string() })
} satisfies Record<LifecycleType, z.ZodType>

export type LifecyclePayload<Type extends LifecycleType> = z.infer<(typeof lifecyclePayloads)[Type]>

/**
 * Validates the modified payload of an event. Throws an Error with a sentence that names the first invalid
 * field.
 */
export function checkLifecycle<Type extends LifecycleType>(
  type: Type,
  payload: unknown
): LifecyclePayload<Type> {
  const checked = lifecyclePayloads[type].safeParse(payload)
  if (checked.success) return checked.data as LifecyclePayload<Type>
  const [[path, message] = ['', '']] = problemsOf(checked.error)
  throw new Error(`Its ${type} is not valid: “${path || 'payload'}”: ${message}.`)
}

/** Parses JSON in a payload. Throws an Error with a sentence that starts with `what`. */
export function parseJson(json: string, what: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new Error(`${what} is not JSON.`)
  }
}
