import { HclError, type Located } from '@waystation/hcl'

/**
 * Checks the patterns of a manifest. `faultsOf` returns the fault of each pattern, or null. It returns
 * undefined if the check took too long.
 * @throws HclError for the first unusable pattern
 */
export async function checkPatterns(
  patterns: Located<string>[],
  faultsOf: (patterns: string[]) => Promise<(string | null)[] | undefined>
): Promise<void> {
  if (patterns.length === 0) return
  const faults = await faultsOf(patterns.map(({ value }) => value))
  for (const [index, pattern] of patterns.entries()) {
    const fault = faults ? faults[index] : 'checking the patterns took too long'
    if (fault) throw new HclError(pattern, `invalid pattern: ${fault}`)
  }
}
