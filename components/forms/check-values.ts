import { fieldErrors } from '@waystation/protocol/field-errors.ts'
import type { z } from 'zod'
import { parseJson } from '#components/browser/parse-json.ts'
import type { FieldErrors } from './place-errors.ts'

/** Validates a value with the server's schema. Returns an empty object if it is valid. */
export function checkValues(schema: z.ZodType, value: unknown): FieldErrors {
  const parsed = schema.safeParse(value, { error: messageOf })
  return parsed.success ? {} : fieldErrors(parsed.error)
}

/** Replaces zod's general messages with readable ones. Messages of the schema itself have precedence. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  const isText = typeof issue.input === 'string'
  if (issue.input === undefined || issue.input === '') return 'this field is required'
  if (issue.code === 'invalid_type' && issue.expected === 'array') return arrayMessage(issue.input)
  if (issue.code === 'invalid_type' && isText)
    return issue.expected === 'int' ? 'must be a whole number' : 'must be a number'
  if (issue.code === 'too_small')
    return isText ? `must have at least ${issue.minimum} characters` : `must be at least ${issue.minimum}`
  if (issue.code === 'too_big')
    return isText ? `must have at most ${issue.maximum} characters` : `must be at most ${issue.maximum}`
  if (issue.code === 'invalid_format' && issue.format === 'url')
    return 'must be a URL, like https://acme.example'
  return undefined
}

/** The text of a JSON field stays a text if it has a syntax error. */
function arrayMessage(input: unknown): string {
  const parsed = typeof input === 'string' ? parseJson(input) : undefined
  if (parsed?.ok !== false || parsed.line === undefined) return 'must be a JSON array, like [ … ]'
  return `must be a JSON array, like [ … ], but line ${parsed.line} has an error`
}
