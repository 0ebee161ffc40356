import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { startProxy } from '#tests/chaos/proxy.ts'
import { createDatabase, type TestDatabase } from '#tests/support/servers/database.ts'

async function behindProxy() {
  const database: TestDatabase = await createDatabase()
  const direct = postgres(database.url, { max: 1, onnotice: () => undefined })
  await direct`create table kept (n int)`
  const proxyUrl = new URL(database.url)
  const proxy = await startProxy(Number(proxyUrl.port))
  proxyUrl.port = String(proxy.port)
  const sql = postgres(proxyUrl.href, { max: 1, fetch_types: false })
  onTestFinished(async () => {
    await sql.end({ timeout: 1 })
    await proxy.close()
    await direct.end()
    await database.drop()
  })
  const storedNumbers = async () =>
    (await direct<{ n: number }[]>`select n from kept order by n`).map(({ n }) => n)
  return { proxy, sql, storedNumbers }
}

test('a COMMIT whose response is lost has been committed, and its client does not know', async () => {
  const { proxy, sql, storedNumbers } = await behindProxy()
  await sql.begin(tx => tx`insert into kept values (1)`)
  proxy.lose('commit', 1)
  await expect(sql.begin(tx => tx`insert into kept values (2)`)).rejects.toThrow(
    /CONNECTION|ECONNRESET|closed/i
  )
  expect(await storedNumbers()).toEqual([1, 2])
  await sql.begin(tx => tx`insert into kept values (3)`)
  expect(await storedNumbers()).toEqual([1, 2, 3])
  expect(proxy.lost).toEqual({ commit: 1, answer: 0 })
})

test('the same applies to a single-statement transaction; a statement inside a transaction is not affected', async () => {
  const { proxy, sql, storedNumbers } = await behindProxy()
  await sql`select 1`
  proxy.lose('answer', 1)
  await sql.begin(tx => tx`insert into kept values (1)`)
  expect(proxy.lost.answer).toBe(0)
  await expect(sql`insert into kept values (2)`.execute()).rejects.toThrow(/CONNECTION|ECONNRESET|closed/i)
  expect(await storedNumbers()).toEqual([1, 2])
})

test('a stalled connection continues where it stopped', async () => {
  const { proxy, sql, storedNumbers } = await behindProxy()
  await sql`select 1`
  proxy.stall()
  const inserted = sql`insert into kept values (1)`.execute()
  expect(await storedNumbers()).toEqual([])
  proxy.go()
  await inserted
  expect(await storedNumbers()).toEqual([1])
})
