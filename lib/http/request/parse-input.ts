import type { z } from 'zod'
import { invalid } from '#lib/kernel/refusal.ts'

/** The value as its schema says, or `422 INVALID_INPUT` with what is wrong in which field. */
export function parseInput<Input extends z.ZodType>(schema: Input, value: unknown): z.output<Input> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(sentenceOf(parsed.error), fieldsOf(parsed.error))
}

/** Each field that is wrong (`parts.0.text`) and what is wrong with it, in a few words. */
function fieldsOf(error: z.ZodError): Record<string, string> {
  return Object.fromEntries(error.issues.flatMap(issue => [...faultsOf(issue, [])]).toReversed())
}

/** One sentence that says what to change first. */
function sentenceOf(error: z.ZodError): string {
  const faults = error.issues.flatMap(issue => [...faultsOf(issue, [])])
  const [field, message] = faults[0] ?? ['', 'it has an unexpected format']
  // Some are whole sentences, as forms show them.
  const clause = message.replace(/\.$/, '')
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return field === '' ? `The input is invalid: ${clause}${more}.` : `"${field}" is invalid: ${clause}${more}.`
}

type Issue = z.core.$ZodIssue

function* faultsOf(issue: Issue, above: PropertyKey[]): Generator<[field: string, message: string]> {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) yield [[...path, key].join('.'), 'unknown field']
  } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    for (const inner of nearest(issue.errors)) yield* faultsOf(inner, path)
  } else {
    yield [path.join('.'), words(issue)]
  }
}

/** Of several shapes that all did not fit, the one with the least to change. */
const nearest = (branches: Issue[][]) => branches.toSorted((a, b) => a.length - b.length)[0] ?? []

function words({ code, message }: Issue): string {
  if (code === 'invalid_type' && message.endsWith('received undefined')) return 'a value is required'
  return message.replace(/^Invalid input: e/, 'e')
}
