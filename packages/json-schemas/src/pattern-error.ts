import { RE2JS, RE2JSSyntaxException } from 're2js'

/** Maximum number of instructions of a compiled pattern. Counted repetitions multiply them. */
const maxInstructions = 1_000

/** Constructs that cannot be matched in linear time, by how they start. */
const constructs: [begins: RegExp, name: string][] = [
  [/^\(\?[=!]/, 'look-ahead'],
  [/^\(\?<[=!]/, 'look-behind'],
  [/^\\([1-9]|k)/, 'a back-reference'],
  [/^\(\?>/, 'an atomic group'],
  [/^\(\?\(/, 'a conditional group'],
  [/^[*+?}]\+$/, 'a possessive quantifier']
]

/**
 * Returns why a pattern cannot be used, in a few words that name the construct, or undefined if it can. Patterns use
 * RE2's syntax (https://github.com/google/re2/wiki/Syntax), which only has constructs that match in linear time.
 */
export function patternError(pattern: string, flags = RE2JS.CASE_INSENSITIVE): string | undefined {
  try {
    const size = RE2JS.compile(pattern, flags).programSize()
    return size <= maxInstructions ? undefined : 'it repeats too much: use smaller repetition counts'
  } catch (error) {
    return error instanceof RE2JSSyntaxException
      ? describe(error, pattern)
      : 'it is too large: write a shorter pattern'
  }
}

function describe(error: RE2JSSyntaxException, pattern: string): string {
  // RE2 puts the case-insensitive flag before the pattern, and can report the whole pattern.
  const construct = error.input === `(?i)${pattern}` ? pattern : (error.input ?? '')
  const [, name] = constructs.find(([begins]) => begins.test(construct)) ?? []
  const excerpt = construct.length <= 40 ? construct : `${construct.slice(0, 40).toWellFormed()}…`
  return name === undefined
    ? `${error.error}: ${excerpt}`
    : `${name} (${excerpt}) is not supported: patterns must match in linear time`
}
