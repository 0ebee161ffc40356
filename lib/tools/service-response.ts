import { ToolError } from '@waystation/base/known-error.ts'
import type { OutboundResponse } from '@waystation/egress'
import type { z } from 'zod'

/** Maximum size of a service's response in bytes. It becomes text for a model. */
export const maxResponseBytes = 2 * 1024 * 1024

/**
 * Parses a service's JSON response. An error of the service becomes a `ToolError` with the service's message, which the
 * model receives.
 */
export function jsonOf(service: string, answer: OutboundResponse): unknown {
  const text = answer.text()
  if (answer.status >= 300) throw new ToolError(`${service} returned ${answer.status}: ${reasonIn(text)}`)
  try {
    return JSON.parse(text)
  } catch {
    throw new ToolError(`The response from ${service} is not JSON.`)
  }
}

/**
 * Validates a service's JSON with a schema. Throws a `ToolError` if it does not match, because a change of the service
 * is not a bug of this server.
 * @param effect what the model must know in that case, such as that a write can have succeeded
 */
export function validateShape<Schema extends z.ZodType>(
  service: string,
  schema: Schema,
  value: unknown,
  effect = ''
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ToolError(`The response from ${service} has an unexpected shape. ${effect}`.trim(), {
    cause: result.error
  })
}

function reasonIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null)
      for (const name of ['message', 'error_description', 'error'])
        if (typeof (body as Record<string, unknown>)[name] === 'string')
          return String((body as Record<string, unknown>)[name]).slice(0, 500)
  } catch {
    // Some errors are not JSON. Quote them as they are.
  }
  return text.slice(0, 500).trim() || 'no details'
}
