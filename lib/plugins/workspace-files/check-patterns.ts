import { HclError, type Located } from '@waystation/hcl'

/**
 * Checks the patterns of a manifest. `errorsOf` returns the error of each pattern, or null. It returns
 * undefined if the check took too long.
 * @throws HclError for the first unusable pattern
 */
export async function checkPatterns(
  patterns: Located<string>[],
  errorsOf: (patterns: string[]) => Promise<(string | null)[] | undefined>
): Promise<void> {
  if (patterns.length === 0) return
  const errors = await errorsOf(patterns.map(({ value }) => value))
  for (const [index, pattern] of patterns.entries()) {
    const error = errors ? errors[index] : 'checking the patterns took too long'
    if (error) throw new HclError(pattern, `invalid pattern: ${error}`)
  }
}
