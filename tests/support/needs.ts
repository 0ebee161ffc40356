import { describe, test } from 'vitest'

/**
 * Declares tests and groups that need a program. Without the program they are skipped. The end of the run prints
 * the reason, which it reads from the title: `(needs redis-server)`.
 */
export function needs(program: string, isInstalled: boolean) {
  const withReason = (title: string) => (isInstalled ? title : `${title} (needs ${program})`)
  return {
    test: (title: string, body: () => Promise<void> | void) =>
      test.runIf(isInstalled)(withReason(title), body),
    describe: (title: string, body: () => void) => describe.runIf(isInstalled)(withReason(title), body)
  }
}
