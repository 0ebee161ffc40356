import { invalid } from '@waystation/base/api-error.ts'
import { fieldErrors, problemsOf } from '@waystation/protocol/field-errors.ts'
import type { z } from 'zod'

/** Returns the value as its schema parses it. Throws `INVALID_INPUT` with a message for each wrong field. */
export function parseInput<Input extends z.ZodType>(schema: Input, value: unknown): z.output<Input> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(sentenceOf(parsed.error), fieldErrors(parsed.error))
}

/** Says in one sentence what to change first. */
function sentenceOf(error: z.ZodError): string {
  const problems = problemsOf(error)
  const [field, message] = problems[0] ?? ['', 'it has an unexpected format']
  // Some messages are full sentences, because forms show them.
  const clause = message.replace(/\.$/, '')
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return field === '' ? `The input is invalid: ${clause}${more}.` : `"${field}" is invalid: ${clause}${more}.`
}
