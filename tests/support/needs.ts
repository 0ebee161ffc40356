import { describe, test } from 'vitest'

/**
 * Tests and groups that need a program. Without it they are skipped, and the end of the run prints the reason, which it
 * reads from the title: `(needs redis-server)`.
 */
export function needs(what: string, found: boolean) {
  const titled = (title: string) => (found ? title : `${title} (needs ${what})`)
  return {
    test: (title: string, body: () => Promise<void> | void) => test.runIf(found)(titled(title), body),
    describe: (title: string, body: () => void) => describe.runIf(found)(titled(title), body)
  }
}
