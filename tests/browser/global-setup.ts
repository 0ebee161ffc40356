import { serveStates } from '#tests/support/browser/serve-states.ts'
import { startTestPostgres } from '#tests/support/worlds/test-postgres.ts'

/**
 * Playwright's global set-up: one Postgres for the run, and the session's page alone. Each worker starts a server on a
 * database of its own.
 */
export default async function globalSetup() {
  const [{ stop, ...postgres }, states] = await Promise.all([startTestPostgres(), serveStates()])
  process.env.WAYSTATION_TEST_POSTGRES = JSON.stringify(postgres)
  process.env.WAYSTATION_TEST_STATES = states.url
  return () => Promise.all([stop(), states.stop()])
}
