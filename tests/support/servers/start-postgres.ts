import type { TestProject } from 'vitest/node'
import { startTestPostgres, type TestPostgres } from '#tests/support/servers/test-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which `tests/support/servers/database.ts` creates databases. */
    postgres: TestPostgres
  }
}

/** Vitest's global setup: one Postgres per run. */
export default async function startPostgres({ provide }: TestProject) {
  const { stop, ...postgres } = await startTestPostgres()
  provide('postgres', postgres)
  return stop
}
