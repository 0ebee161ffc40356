import JSON5 from 'json5'
import { openings } from './tags.ts'

/** The maximum length of plain text that becomes the single argument `input`, in characters. */
const maxTextChars = 1000
/** The maximum length of JSON5, in characters: its parser takes more than half a second for a million. */
const maxJson5Chars = 64_000

/** The maximum nesting of arguments: at some depth, the SDK fails to read them and the step fails. */
const maxDepth = 100

/**
 * Converts the arguments of a call to JSON for the AI SDK. They can be JSON, JSON5 or plain text, which becomes
 * `{"input": "…"}`. Empty text becomes `{}`. Anything else is returned as invalid JSON, so that the SDK rejects
 * the call. Nothing is executed.
 */
export function readArguments(written: string): string {
  const text = written.trim()
  if (text === '') return '{}'
  const value = tryParse(text, JSON.parse)
  const lenient = value === undefined && text.length <= maxJson5Chars ? tryParse(text, JSON5.parse) : value
  if (isArguments(lenient)) {
    if (isDeeper(lenient, maxDepth)) return `${text.slice(0, maxTextChars)}…`
    return value === undefined ? JSON.stringify(lenient) : text
  }
  const hasTag = openings.some(opening => text.includes(opening))
  if (text.length <= maxTextChars && !hasTag)
    return JSON.stringify({ input: typeof lenient === 'string' ? lenient : text })
  return value === undefined ? text : `${text.slice(0, maxTextChars)}…`
}

const isArguments = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(item => isDeeper(item, levels - 1)))

/** Returns undefined if the text cannot be parsed. */
function tryParse(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
