import { defineConfig } from 'vitest/config'

/**
 * Everything but the browser: `npm test -- api` narrows to paths that contain the word. One Postgres per run, started
 * by `start-postgres.ts`; each test file takes databases of its own from it (`tests/support/database.ts`).
 */
export default defineConfig({
  test: {
    include: [
      'lib/**/*.test.ts',
      'db/**/*.test.ts',
      'components/**/*.test.{ts,tsx}',
      'tests/{api,chaos,examples,model,packages,scale,setup}/**/*.test.ts'
    ],
    globalSetup: ['tests/support/start-postgres.ts'],
    pool: 'forks',
    // Most tests wait for servers, databases and timers, so that one file at a time leaves the machine idle.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    // What is awaited comes at once, but on a full machine.
    expect: { poll: { timeout: 15_000 } },
    env: { NEXT_TELEMETRY_DISABLED: '1', TZ: 'UTC' }
  }
})
