import { invalid } from '@waystation/base/api-error.ts'
import type { z } from 'zod'

/** Returns the value as its schema parses it. Throws `INVALID_INPUT` with a message for each wrong field. */
export function parseInput<Input extends z.ZodType>(schema: Input, value: unknown): z.output<Input> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(sentenceOf(parsed.error), fieldsOf(parsed.error))
}

/** Maps each wrong field (`parts.0.text`) to a short message. */
function fieldsOf(error: z.ZodError): Record<string, string> {
  return Object.fromEntries(error.issues.flatMap(issue => [...problemsOf(issue, [])]).toReversed())
}

/** Says in one sentence what to change first. */
function sentenceOf(error: z.ZodError): string {
  const problems = error.issues.flatMap(issue => [...problemsOf(issue, [])])
  const [field, message] = problems[0] ?? ['', 'it has an unexpected format']
  // Some messages are full sentences, because forms show them.
  const clause = message.replace(/\.$/, '')
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return field === '' ? `The input is invalid: ${clause}${more}.` : `"${field}" is invalid: ${clause}${more}.`
}

type Issue = z.core.$ZodIssue

function* problemsOf(issue: Issue, above: PropertyKey[]): Generator<[field: string, message: string]> {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) yield [[...path, key].join('.'), 'unknown field']
  } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    for (const inner of closestBranch(issue.errors)) yield* problemsOf(inner, path)
  } else {
    yield [path.join('.'), messageOf(issue)]
  }
}

/** Returns the errors of the union member that is closest to matching. */
const closestBranch = (branches: Issue[][]) => branches.toSorted((a, b) => a.length - b.length)[0] ?? []

function messageOf({ code, message }: Issue): string {
  if (code === 'invalid_type' && message.endsWith('received undefined')) return 'a value is required'
  return message.replace(/^Invalid input: e/, 'e')
}
