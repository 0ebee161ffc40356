/**
 * Runs an embedded Postgres in the given directory, for tests that kill it. SIGTERM stops it cleanly, and SIGINT
 * exits at once.
 */
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'

const server = await startEmbeddedPostgres({ dir: process.argv[2] ?? '', durable: false })
const keepAlive = setInterval(() => undefined, 60_000)
process.once('SIGTERM', async () => {
  await server.stop()
  clearInterval(keepAlive)
})
process.once('SIGINT', () => process.exit(1))
console.log(JSON.stringify({ url: server.url, reused: server.reused }))
