import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { seed } from '#db/seed.ts'
import { startProxy } from '#tests/chaos/proxy.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { ownPostgres } from '#tests/support/servers/own-postgres.ts'
import { testEnv } from '#tests/support/servers/test-server.ts'

test('a start that loses its connection to Postgres at any statement fails without hanging, and can be retried', async () => {
  allowErrors(/Connection terminated unexpectedly/)
  const postgres = await ownPostgres()
  const proxy = await startProxy(Number(new URL(postgres.url).port))
  onTestFinished(proxy.close)
  const wire = new URL(postgres.url)
  wire.port = String(proxy.port)
  const url = wire.href
  const parts = [() => migrate(url), () => seed(url, testEnv(url, {}))]
  for (const part of parts) {
    let failures = 0
    for (let n = 0, cut = true; cut; n++) {
      const wasCut = proxy.cutAfter(n)
      await part().catch(() => {
        failures += 1
      })
      cut = wasCut()
    }
    expect(failures).toBeGreaterThan(2)
    proxy.heal()
    await part()
  }
}, 180_000)
