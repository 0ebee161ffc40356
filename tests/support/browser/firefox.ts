import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { type Browser, firefox, selectors } from '@playwright/test'

/**
 * Finds Firefox: `$FIREFOX`, or else the path of Debian's package. Returns undefined if it is not installed. To
 * install it, run `apt-get install -y --no-install-recommends firefox-esr`.
 */
export const findFirefox = (): string | undefined =>
  [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
    path => path !== undefined && existsSync(path)
  )

/** Starts headless Firefox. Playwright uses WebDriver BiDi through `firefox-relay.mjs`. */
export const launchFirefox = (path: string): Promise<Browser> => {
  // Like in `playwright.config.ts`, which only Playwright's own runner reads.
  selectors.setTestIdAttribute('data-hook')
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: join(import.meta.dirname, 'firefox-relay.mjs'),
    env: {
      ...process.env,
      FIREFOX: path,
      // The relay's shebang line looks for `node` in `PATH`.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
    }
  })
}
