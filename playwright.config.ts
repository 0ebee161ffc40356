import { defineConfig } from '@playwright/test'
import { findChromium } from '#tests/support/chromium.ts'

/** The browser's tests, against a built server with a database of its own (`tests/support/serve-pages.ts`). */
export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '**/*.test.ts',
  globalSetup: './tests/support/serve-pages.ts',
  outputDir: 'test-results',
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: 'list',
  use: {
    baseURL: process.env.WAYSTATION_TEST_URL,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A trace of every test takes a third of the time: ask for one where it is wanted, with `--trace on`.
    screenshot: 'only-on-failure',
    launchOptions: await findChromium()
  }
})
