/** A message's key is the second word of its text: `talk ann-3 in s1`. Nothing, if it is none of ours. */
export const keyOf = (text: string): string =>
  /^(?:talk|fetch|ask|leave|reply|tell|heed) (\S+) in \S+$/.exec(text.trim())?.[1] ?? ''

/** Those that stand twice. */
export const twice = (keys: readonly string[]): string[] => [
  ...new Set(keys.filter((key, n) => keys.indexOf(key) !== n))
]
