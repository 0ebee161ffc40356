import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Most tests wait for a database, a server or a timer, so one core can run more than one file. */
const workers = Math.max(2, Math.round(2.5 * availableParallelism()))

const shared = {
  pool: 'forks' as const,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 20_000,
  // Polls return as soon as the condition is true. The limit matters only on a busy machine.
  expect: { poll: { timeout: 30_000 } },
  env: { NEXT_TELEMETRY_DISABLED: '1', TZ: 'UTC' },
  setupFiles: ['tests/support/guard.ts']
}

/** Tests use the sources of the client (tsconfig.json), because its package contains only what a build writes. */
const resolve = { tsconfigPaths: true }

/**
 * Every test but the browser's. `tests/README.md` says which project a test belongs to. `npm test` runs `pure` and
 * `integration` while the pages are built, then `server`. `npm run test:long` runs `long`.
 */
export default defineConfig({
  test: {
    // `npm run test:long` asks for it.
    coverage: {
      include: [
        '{lib,db}/**/*.ts',
        'packages/{base,demo-model,egress,hcl,json-schemas,mcp-client,plugin-host,protocol,sandbox,text-stream,text-tools,tiddlywiki}/src/**/*.ts'
      ],
      exclude: ['**/generated/**'],
      reporter: ['text-summary', 'html']
    },
    projects: [
      {
        resolve,
        test: {
          ...shared,
          name: 'pure',
          include: ['{lib,db,components,packages,scripts}/**/*.test.{ts,tsx}', 'tests/chaos/**/*.test.ts'],
          isolate: false,
          maxWorkers: workers
        }
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'integration',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/{browser,chaos,long}/**', '**/*.server.test.ts'],
          globalSetup: ['tests/support/servers/start-postgres.ts', 'tests/support/build-packages.ts'],
          // It imports `next/server` without an extension, which only a bundler resolves.
          server: { deps: { inline: ['next-auth'] } },
          isolate: false,
          maxWorkers: workers
        }
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'server',
          include: ['tests/**/*.server.test.ts'],
          exclude: ['tests/long/**'],
          globalSetup: ['tests/support/servers/start-postgres.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 }
        }
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'long',
          include: ['tests/long/**/*.test.ts'],
          globalSetup: ['tests/support/servers/start-postgres.ts', 'tests/support/build-packages.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 2 }
        }
      }
    ]
  }
})
