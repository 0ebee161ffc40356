import { cleanJson } from '#lib/kernel/clean-json.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'

/** The most values of a text: 2 MiB could hold a million, which take the process a third of a second. */
const mostValues = 100_000

/**
 * JSON from a stranger, made safe to store and to merge (`kernel/clean-json.ts`). Not JSON: `400 MALFORMED_JSON`. Nested too
 * deep, of too many values, or with a number too large: `422 INVALID_INPUT`.
 */
export function parseJson(text: string): unknown {
  if (text.length > mostValues && hasMoreValues(text, mostValues))
    throw invalid(
      `The body has more than ${mostValues} JSON values. Send the data as one string, or in several requests.`
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('MALFORMED_JSON', 'The body is not valid JSON.')
  }
  return cleanJson(value, problem => invalid(`The body ${problem}.`))
}

/** Whether a JSON text has more values than this, found without making them: each but the first follows a `,`, a `[` or a `{`. */
function hasMoreValues(text: string, most: number): boolean {
  let values = 1
  for (let at = 0; at < text.length && values <= most; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) at = endOfText(text, at)
    else if (char === comma || char === bracket || char === brace) values++
  }
  return values > most
}

const [quote, comma, bracket, brace, backslash] = [...'",[{\\'].map(char => char.charCodeAt(0))

/** Where the text that begins at `from` ends: at the next quote that is not escaped. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return at
  }
  return text.length
}
