import { RE2JS, RE2JSSyntaxException } from 're2js'

/** The most instructions that a pattern may become: counted repetition multiplies them. */
const largest = 1_000

/** Constructs that cannot be looked for in linear time, as people call them; by how they begin. */
const constructs: [begins: RegExp, name: string][] = [
  [/^\(\?[=!]/, 'look-ahead'],
  [/^\(\?<[=!]/, 'look-behind'],
  [/^\\([1-9]|k)/, 'a back-reference'],
  [/^\(\?>/, 'an atomic group'],
  [/^\(\?\(/, 'a conditional group'],
  [/^[*+?}]\+$/, 'a possessive quantifier']
]

/**
 * Why this pattern cannot be used, in a few words that name the construct; undefined when it can. Patterns are those of RE2
 * (https://github.com/google/re2/wiki/Syntax): what takes more than linear time is not in it.
 */
export function patternFault(pattern: string, flags = RE2JS.CASE_INSENSITIVE): string | undefined {
  try {
    const size = RE2JS.compile(pattern, flags).programSize()
    return size <= largest ? undefined : 'it repeats too much: use smaller repetition counts'
  } catch (error) {
    return error instanceof RE2JSSyntaxException
      ? named(error, pattern)
      : 'it is too large: write a shorter pattern'
  }
}

function named(error: RE2JSSyntaxException, pattern: string): string {
  // RE2 puts the flag for either case before the pattern, and may name all of it.
  const at = error.input === `(?i)${pattern}` ? pattern : (error.input ?? '')
  const [, name] = constructs.find(([begins]) => begins.test(at)) ?? []
  const shown = at.length <= 40 ? at : `${at.slice(0, 40).toWellFormed()}…`
  return name === undefined
    ? `${error.error}: ${shown}`
    : `${name} (${shown}) is not supported: patterns must match in linear time`
}
