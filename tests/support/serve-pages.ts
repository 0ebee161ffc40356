import { startServer } from '#tests/support/start-server.ts'

/** Playwright's global set-up: one server for all pages under test; the config hands its address to the browser. */
export default async function servePages() {
  const server = await startServer()
  process.env.WAYSTATION_TEST_URL = server.url
  process.env.WAYSTATION_TEST_KEY = server.apiKey
  return () => server.stop()
}
