import { startTestPostgres } from '#tests/support/test-postgres.ts'

/** Playwright's global set-up: one Postgres for the run. Each worker starts a server on a database of its own. */
export default async function globalSetup() {
  const { stop, ...postgres } = await startTestPostgres()
  process.env.WAYSTATION_TEST_POSTGRES = JSON.stringify(postgres)
  return stop
}
