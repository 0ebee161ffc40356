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
