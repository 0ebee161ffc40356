import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { cleanJson } from '@waystation/base/clean-json.ts'

/**
 * The most JSON values in a body. 2 MiB could hold a million, which would block the process for a third of a second.
 */
const maxValues = 100_000

/**
 * Parses untrusted JSON and makes it safe to store and merge (`kernel/clean-json.ts`). Throws `MALFORMED_JSON` if it is
 * not JSON. Throws `INVALID_INPUT` if it is nested too deeply, has too many values or contains a number that is too
 * large.
 */
export function parseJson(text: string): unknown {
  if (text.length > maxValues && hasMoreValues(text, maxValues))
    throw invalid(
      `The body has more than ${maxValues} JSON values. Send the data as one string, or in several requests.`
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('MALFORMED_JSON', 'The body is not valid JSON.')
  }
  return cleanJson(value, problem => invalid(`The body ${problem}.`))
}

/**
 * Returns whether a JSON text has more values than `limit`, without parsing it. Each value except the first follows a
 * `,`, a `[` or a `{`.
 */
function hasMoreValues(text: string, limit: number): boolean {
  let values = 1
  for (let index = 0; index < text.length && values <= limit; index++) {
    const char = text.charCodeAt(index)
    if (char === quote) index = endOfText(text, index)
    else if (char === comma || char === bracket || char === brace) values++
  }
  return values > limit
}

const [quote, comma, bracket, brace, backslash] = [...'",[{\\'].map(char => char.charCodeAt(0))

/** Returns the index of the next quote after `from` that is not escaped. */
function endOfText(text: string, from: number): number {
  for (let index = text.indexOf('"', from + 1); index !== -1; index = text.indexOf('"', index + 1)) {
    let escapes = 0
    while (text.charCodeAt(index - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return index
  }
  return text.length
}
