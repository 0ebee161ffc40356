import { defineConfig } from '@playwright/test'
import { findChromium } from '#tests/support/browser/chromium.ts'

/** Files whose server has settings or data of its own. One worker runs them, so that each of these servers starts once. */
const withOwnServers =
  /browser\/(deliveries|mcp|out-of-band|plugins|waiting)\/[^/]+\.test\.ts$|(shell\/shell|sign-in|tool-rules)\.test\.ts$/

/** The browser's tests, against a built server per worker (`tests/browser/test.ts`). */
export default defineConfig({
  testDir: 'tests/browser',
  projects: [
    { name: 'own servers', testMatch: withOwnServers, workers: 1 },
    // Without a name: it would be in the names of the pictures.
    { testMatch: '**/*.test.ts', testIgnore: withOwnServers }
  ],
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
