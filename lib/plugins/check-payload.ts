import { maxReasonChars } from '@waystation/protocol/agent/hand-off.ts'
import { Duration } from '@waystation/protocol/duration.ts'
import { problemsOf } from '@waystation/protocol/field-errors.ts'
import { modelMessageSchema } from 'ai'
import { z } from 'zod'
import type { HookPayloads, Stepping } from '#lib/kernel/ports/hooks.ts'

const call = z.object({ toolCallId: z.string(), toolName: z.string(), input: z.unknown() })

const tool = z.object({
  name: z.string(),
  description: z.string().max(4000),
  inputSchema: z.record(z.string(), z.unknown())
})

const result = z.discriminatedUnion('type', [
  z.object({ type: z.literal('output'), value: z.unknown() }),
  z.object({ type: z.literal('error'), text: z.string() }),
  z.object({ type: z.literal('denied'), reason: z.string().optional() })
])

/** The schema of the payload at each hook point. */
const schemas: Record<Stepping, z.ZodType> = {
  beforeTurn: z.object({ input: z.string().min(1) }),
  beforeRound: z.object({ round: z.int(), lastAgentId: z.string().optional() }),
  beforeModel: z.object({
    model: z.string().min(1).max(200),
    instructions: z.string(),
    messages: z.array(modelMessageSchema),
    tools: z.array(tool)
  }),
  afterModel: z.object({
    text: z.string(),
    calls: z.array(call),
    finishReason: z.string(),
    duration: Duration.optional()
  }),
  beforeTool: call,
  beforeHandOff: z.object({
    to: z.string(),
    reason: z.string().max(maxReasonChars),
    by: z.enum(['agent', 'plugin', 'person'])
  }),
  afterTool: call.extend({ result, duration: Duration.optional() })
}

/**
 * Validates the changed payload that a hook returned. Throws an Error with a sentence that names the first
 * invalid field.
 */
export function checkPayload<Point extends Stepping>(point: Point, change: unknown): HookPayloads[Point] {
  const checked = schemas[point].safeParse(change)
  if (checked.success) return checked.data as HookPayloads[Point]
  const [[path, message] = ['', '']] = problemsOf(checked.error)
  throw new Error(`Its change is not valid: “${path || point}”: ${message}.`)
}
