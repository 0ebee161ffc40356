import { HclError, type Located } from '#packages/hcl/src/index.ts'

/**
 * Checks the patterns of a manifest. `faultsOf` says of each what is wrong with it, or null; of none where it gave up.
 * @throws HclError at the first that cannot be used
 */
export async function checkPatterns(
  patterns: Located<string>[],
  faultsOf: (patterns: string[]) => Promise<(string | null)[] | undefined>
): Promise<void> {
  if (patterns.length === 0) return
  const faults = await faultsOf(patterns.map(({ value }) => value))
  for (const [place, pattern] of patterns.entries()) {
    const fault = faults ? faults[place] : 'checking the patterns took too long'
    if (fault) throw new HclError(pattern, `invalid pattern: ${fault}`)
  }
}
