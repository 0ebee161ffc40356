import { cleanJson } from '#lib/kernel/clean-json.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'

/**
 * JSON from a stranger, made safe to store and to merge (`kernel/clean-json.ts`). Not JSON: `400 MALFORMED_JSON`. Nested too
 * deep, or with a number too large: `422 INVALID_INPUT`.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('MALFORMED_JSON', 'The body is not valid JSON.')
  }
  return cleanJson(value, problem => invalid(`The body ${problem}.`))
}
