import { defineConfig } from '@playwright/test'
import { findChromium } from '#tests/support/browser/chromium.ts'

/** The browser's tests, against a built server per worker (`tests/browser/test.ts`). */
export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '**/*.test.ts',
  globalSetup: './tests/browser/global-setup.ts',
  outputDir: 'test-results',
  // A worker is a server and a browser; both work while the other one waits.
  workers: '100%',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: 'list',
  use: {
    locale: 'en-GB',
    timezoneId: 'UTC',
    testIdAttribute: 'data-hook',
    // A trace of every test takes a third of the time: ask for one with `--trace on`.
    screenshot: 'only-on-failure',
    launchOptions: await findChromium()
  }
})
