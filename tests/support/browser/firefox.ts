import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { type Browser, firefox, selectors } from '@playwright/test'

/**
 * Where Firefox is: `$FIREFOX`, else where Debian installs it. Undefined: there is none. To get it:
 * `apt-get install -y --no-install-recommends firefox-esr`.
 */
export const findFirefox = (): string | undefined =>
  [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
    path => path !== undefined && existsSync(path)
  )

/** Starts Firefox without a window. Playwright speaks WebDriver BiDi with it, through `firefox-relay.mjs`. */
export const launchFirefox = (path: string): Promise<Browser> => {
  // As in `playwright.config.ts`, which only Playwright's own runner reads.
  selectors.setTestIdAttribute('data-hook')
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: join(import.meta.dirname, 'firefox-relay.mjs'),
    env: {
      ...process.env,
      FIREFOX: path,
      // The relay's first line looks for `node` there.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
    }
  })
}
