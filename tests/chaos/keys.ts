/**
 * Returns the key of a message, the second word of its text: `talk ann-3 in s1`. Returns an empty string for other
 * texts.
 */
export const keyOf = (text: string): string =>
  /^(?:talk|fetch|ask|leave|reply|tell|heed) (\S+) in \S+$/.exec(text.trim())?.[1] ?? ''

/** Returns the keys that occur more than once. */
export const twice = (keys: readonly string[]): string[] => [
  ...new Set(keys.filter((key, n) => keys.indexOf(key) !== n))
]
