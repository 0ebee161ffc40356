import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { seed } from '#db/seed.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { testEnv } from '#tests/support/servers/test-server.ts'

/**
 * Starts a durable Postgres for this test, migrated and seeded, which the test can kill. Its supervisor restarts
 * it.
 */
export async function ownPostgres(): Promise<{ url: string; kill(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'waystation-killed-'))
  const server = await startEmbeddedPostgres({ dir, durable: true })
  onTestFinished(async () => {
    await server.stop()
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  await migrate(server.url)
  await seed(server.url, testEnv(server.url, {}))
  const pid = async () => Number((await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
  return {
    url: server.url,
    async kill() {
      process.kill(await pid(), 'SIGKILL')
    }
  }
}
