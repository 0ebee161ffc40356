import JSON5 from 'json5'
import { openings } from './tags.ts'

/** Words that are taken for the one argument `input`, in characters; more are no arguments. */
const longestWords = 1000
/** JSON5 that is read, in characters: a million take its parser more than half a second. */
const longestLenient = 64_000

/** How deep arguments may be nested: the SDK's own reading of them ends at some depth, and the step with it. */
const deepest = 100

/**
 * The arguments of a call as JSON, the way the AI SDK has them: what is written as JSON, else as JSON5, else as plain words,
 * which are `{"input": "…"}`; nothing is none. What is none of these is no JSON here either, and the SDK refuses the call.
 * Nothing is ever run.
 */
export function readArguments(written: string): string {
  const text = written.trim()
  if (text === '') return '{}'
  const value = parsed(text, JSON.parse)
  const lenient = value === undefined && text.length <= longestLenient ? parsed(text, JSON5.parse) : value
  if (isArguments(lenient)) {
    if (isDeeper(lenient, deepest)) return `${text.slice(0, longestWords)}…`
    return value === undefined ? JSON.stringify(lenient) : text
  }
  const holdsTag = openings.some(opening => text.includes(opening))
  if (text.length <= longestWords && !holdsTag)
    return JSON.stringify({ input: typeof lenient === 'string' ? lenient : text })
  return value === undefined ? text : `${text.slice(0, longestWords)}…`
}

const isArguments = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(one => isDeeper(one, levels - 1)))

/** Undefined for what is none. */
function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
