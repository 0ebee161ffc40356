import type { TestProject } from 'vitest/node'
import { startTestPostgres, type TestPostgres } from '#tests/support/worlds/test-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `tests/support/worlds/database.ts` makes databases. */
    postgres: TestPostgres
  }
}

/** Vitest's global set-up: one Postgres for a run. */
export default async function startPostgres({ provide }: TestProject) {
  const { stop, ...postgres } = await startTestPostgres()
  provide('postgres', postgres)
  return stop
}
