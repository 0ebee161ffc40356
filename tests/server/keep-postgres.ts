/** A starter to be killed: holds an embedded Postgres in the directory it is given until it gets SIGTERM. SIGINT ends it at once. */
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'

const server = await startEmbeddedPostgres({ dir: process.argv[2] ?? '', durable: false })
const awake = setInterval(() => undefined, 60_000)
process.once('SIGTERM', async () => {
  await server.stop()
  clearInterval(awake)
})
process.once('SIGINT', () => process.exit(1))
console.log(JSON.stringify({ url: server.url, reused: server.reused }))
