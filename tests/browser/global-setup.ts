import { serveStates } from '#tests/support/browser/serve-states.ts'
import { startTestPostgres } from '#tests/support/servers/test-postgres.ts'

/**
 * Global setup of Playwright: starts one Postgres for the run, and a server for the fixtures of the session page.
 * Each worker starts a server with its own database.
 */
export default async function globalSetup() {
  const [{ stop, ...postgres }, states] = await Promise.all([startTestPostgres(), serveStates()])
  process.env.WAYSTATION_TEST_POSTGRES = JSON.stringify(postgres)
  process.env.WAYSTATION_TEST_STATES = states.url
  return () => Promise.all([stop(), states.stop()])
}
