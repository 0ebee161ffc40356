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
  if (issue.code === 'invalid_type') return typeMessage(issue.expected, issue.input)
  if (issue.code === 'too_small')
    return isText ? `must have at least ${issue.minimum} characters` : `must be at least ${issue.minimum}`
  if (issue.code === 'too_big')
    return isText ? `must have at most ${issue.maximum} characters` : `must be at most ${issue.maximum}`
  if (issue.code === 'invalid_format' && issue.format === 'url')
    return 'must be a URL, like https://acme.example'
  return undefined
}

function typeMessage(expected: string, input: unknown): string | undefined {
  switch (expected) {
    case 'array':
      return jsonMessage('array, like [ … ]', input)
    case 'object':
    case 'record':
      return jsonMessage('object, like { … }', input)
    case 'int':
      return 'must be a whole number'
    case 'number':
      return 'must be a number'
    case 'boolean':
      return 'must be true or false'
    default:
      return undefined
  }
}

/** The text of a JSON field stays a text if it has a syntax error. */
function jsonMessage(wanted: string, input: unknown): string {
  const parsed = typeof input === 'string' ? parseJson(input) : undefined
  if (parsed?.ok !== false || parsed.line === undefined) return `must be a JSON ${wanted}`
  return `must be a JSON ${wanted}, but line ${parsed.line} has an error`
}
