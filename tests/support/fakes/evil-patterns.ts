/** Returns noise without a period, so that no search can reuse earlier results. */
export function noise(letters: string, length: number): string {
  let seed = 1
  return Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return letters[(seed % 9973) % letters.length]
  }).join('')
}

export const size = 60_000
export const hostileTexts = [
  'a'.repeat(size),
  noise('ab', size),
  noise('ab c.,', size),
  'é😀k'.repeat(size / 5)
]

/**
 * Patterns that hang a backtracking engine, in several sizes, and patterns that are large or unusual for any
 * engine.
 */
export const evilPatterns = [1, 5, 12, 30, 100, 200, 300, 500, 1000].flatMap(n => [
  `(a+)+$`.repeat(Math.min(n, 60)),
  `(a|a?){${n}}b`,
  `(a?){${n}}a{${n}}c`,
  `(.*a){${n}}c`,
  `(a|b)*a(a|b){${n}}x`,
  `[ab]*a[ab]{${n}}\\b!`,
  `(\\w+\\s?){${n}}!`,
  `([\\p{L}]{1,${n}})*z$`,
  `.{${n}}x$`,
  `a.{0,${n}}b.{0,${n}}c!`,
  `((a{1,${n}}){1,${n}})x`,
  `(?:a|ab|abc|b|ba){1,${n}}!`,
  `^(([a-z])+.)+[A-Z]([a-z]){${n}}$`,
  `(x+x+){${n}}y`,
  `(a{${n}}|b{${n}})*c`,
  `\\B.\\b.{${n}}\\B!`,
  `(?=a{${n}})b`,
  `(?<!a{${n}})b`,
  `(a{1,${n}})\\1b`,
  `(?>a{${n}})b`,
  `(a*){${n}}*+b`,
  `${'('.repeat(Math.min(n, 250))}a${')'.repeat(Math.min(n, 250))}`,
  `${'(a*)*'.repeat(Math.min(n, 100))}!`
])
