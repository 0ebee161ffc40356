import type { z } from 'zod'
import type { OutboundAnswer } from '#lib/kernel/ctx.ts'
import { ToolError } from '#lib/kernel/known-error.ts'

/** The most that is read of a service's answer: it becomes text for a model. Bytes. */
export const maxAnswerBytes = 2 * 1024 * 1024

/** What a service answered, as JSON; what it refused is thrown in its own words, which the model gets as the tool's error. */
export function jsonOf(service: string, answer: OutboundAnswer): unknown {
  const text = answer.text()
  if (answer.status >= 300) throw new ToolError(`${service} returned ${answer.status}: ${reasonIn(text)}`)
  try {
    return JSON.parse(text)
  } catch {
    throw new ToolError(`The response from ${service} is not JSON.`)
  }
}

/**
 * A service's JSON as this schema. Throws a `ToolError` for another shape, because a change of the service is no bug of this
 * server.
 *
 * @param effect what the model must know then, such as that a write can have succeeded
 */
export function shapedAs<Schema extends z.ZodType>(
  service: string,
  schema: Schema,
  value: unknown,
  effect = ''
): z.output<Schema> {
  const shaped = schema.safeParse(value)
  if (shaped.success) return shaped.data
  throw new ToolError(`The response from ${service} has an unexpected shape. ${effect}`.trim(), {
    cause: shaped.error
  })
}

function reasonIn(text: string): string {
  try {
    const said: unknown = JSON.parse(text)
    if (typeof said === 'object' && said !== null)
      for (const name of ['message', 'error_description', 'error'])
        if (typeof (said as Record<string, unknown>)[name] === 'string')
          return String((said as Record<string, unknown>)[name]).slice(0, 500)
  } catch {
    // Not every refusal is JSON; what it says is quoted as it is.
  }
  return text.slice(0, 500).trim() || 'no details'
}
