import { type AddressInfo, createServer, Socket } from 'node:net'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { resilientPool } from '#lib/infra/queue/resilient-pool.ts'
import { createDatabase } from '#tests/support/servers/database.ts'

/**
 * Opens a pool of ours. `kill` ends its connections like a database that crashes. `hosts` repeats the same host in
 * the URL.
 */
async function pool(max: number, hosts = 1) {
  const database = await createDatabase()
  const { host } = new URL(database.url)
  const url = database.url.replace(host, Array.from({ length: hosts }, () => host).join(','))
  const sql = connect(url, { max, name: 'victim' })
  const killer = postgres(database.url, { max: 1, onnotice: () => undefined })
  await killer`create table kept (n int)`
  onTestFinished(async () => {
    await sql.end({ timeout: 1 })
    await killer.end()
    await database.drop()
  })
  const asleep = () => killer`
    select from pg_stat_activity
    where application_name = 'victim' and datname = current_database() and wait_event = 'PgSleep'`
  return {
    sql,
    /** Resolves when a statement of the pool sleeps. */
    sleeps: () => expect.poll(async () => (await asleep()).length).toBeGreaterThan(0),
    kill: () => killer`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name = 'victim' and datname = current_database()`,
    storedNumbers: async () =>
      (await killer<{ n: number }[]>`select n from kept order by n`).map(({ n }) => n)
  }
}

/** Returns 'ok' or the error code. */
const outcome = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => 'ok',
    error => (error as { code?: string }).code
  )

test('connections that end just before a write can all be used again', async () => {
  const size = 8
  const { sql, sleeps, kill } = await pool(size)
  const all = () => Promise.all(Array.from({ length: size }, () => outcome(sql`select pg_sleep(0.05)`)))
  for (let round = 0; round < 10; round++) {
    await all()
    // When each of these fails, the next statement goes to another connection that is already closed on the server.
    const busy = Array.from({ length: size / 2 }, async () => {
      await outcome(sql`select pg_sleep(60)`)
      return [await outcome(sql`select 1`), await outcome(sql`select 1`)]
    })
    await sql`select 1`
    await sleeps()
    await kill()
    expect((await Promise.all(busy)).flat()).not.toContain('CONNECT_TIMEOUT')
    // An idle connection can still be unaware of its end.
    expect(await all()).not.toContain('CONNECT_TIMEOUT')
    expect(await all()).toEqual(Array(size).fill('ok'))
  }
}, 180_000)

test('a transaction whose connection ended sends nothing more, even if its pool has reconnected', async () => {
  const { sql, kill, storedNumbers } = await pool(1)
  const lateOutcome = Promise.withResolvers<unknown>()
  const transaction = inTransaction({ sql }, async ({ sql: tx }) => {
    await tx`insert into kept values (1)`
    const others = [outcome(sql`select 1`), outcome(sql`select 1`)]
    await kill()
    // On the new connection in the place of the transaction's connection.
    expect(await Promise.all(others)).toContain('ok')
    lateOutcome.resolve(await outcome(tx`insert into kept values (2)`))
  })
  expect(await outcome(transaction)).toBe('CONNECTION_CLOSED')
  expect(await lateOutcome.promise).toBe('CONNECTION_CLOSED')
  expect(await storedNumbers()).toEqual([])
  await inTransaction({ sql }, async ({ sql: tx }) => void (await tx`insert into kept values (3)`))
  expect(await storedNumbers()).toEqual([3])
})

test('unsent statements of a transaction fail with its connection, and so does its rollback', async () => {
  const { sql, sleeps, kill, storedNumbers } = await pool(1)
  const outcomes = Promise.withResolvers<unknown[]>()
  const transaction = inTransaction({ sql }, async ({ sql: tx }) => {
    const slow = outcome(tx`select pg_sleep(60)`)
    const more = [1, 2, 3].map(n => outcome(tx`insert into kept values (${n})`))
    await sleeps()
    await kill()
    outcomes.resolve(await Promise.all([slow, ...more]))
    throw new Error('Enough.')
  })
  expect(await outcome(transaction)).toBe('CONNECTION_CLOSED')
  expect(await outcomes.promise).toEqual(Array(4).fill('CONNECTION_CLOSED'))
  expect(await storedNumbers()).toEqual([])
})

test('the error of one connection does not reach the first statement on the next one', async () => {
  const { sql, sleeps, kill } = await pool(1)
  for (let round = 0; round < 5; round++) {
    const slow = outcome(sql`select pg_sleep(60)`)
    await sleeps()
    await kill()
    expect(await slow).toBe('CONNECTION_CLOSED')
    expect(await sql`select 7 as n`).toEqual([{ n: 7 }])
  }
})

test('if a proxy closes connections at once, statements fail soon, each after one attempt', async () => {
  let connections = 0
  const proxy = createServer(socket => {
    connections += 1
    socket.end()
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as AddressInfo
  const sql = connect(`postgres://nobody@127.0.0.1:${port}/none`, { max: 1 })
  for (let n = 1; n <= 5; n++) {
    expect(await outcome(sql`select 1`)).toBe('CONNECTION_CLOSED')
    expect(connections).toBe(n)
  }
  await sql.end({ timeout: 1 })
})

test('with several hosts, a statement still fails when its new connection ends', async () => {
  const { sql, sleeps, kill } = await pool(1, 2)
  const slow = outcome(sql`select pg_sleep(60)`)
  await sleeps()
  await kill()
  expect(await slow).toBe('CONNECTION_CLOSED')
  expect(await sql`select 7 as n`).toEqual([{ n: 7 }])
})

test('an unreachable address fails the statement and does not end the process', async () => {
  // The system rejects this address at once (RFC 919: a broadcast address accepts no connections).
  const sql = connect('postgres://nobody@255.255.255.255:5432/none', { max: 1 })
  expect(await outcome(sql`select 1`)).toMatch(/^E[A-Z]+$/)
  await sql.end({ timeout: 1 })
})

test.each(['EAI_AGAIN', 'ENOTFOUND', 'ECONNREFUSED'])(
  'the job queue treats %s as a lost connection, and its process continues',
  async code => {
    const stream = () => {
      const socket = new Socket()
      socket.connect = () => socket.destroy(Object.assign(new Error(code), { code }))
      return socket
    }
    const jobs = resilientPool({ stream })
    // "cannot connect now", which graphile-worker retries.
    expect(await outcome(jobs.connect())).toBe('57P03')
    await jobs.end()
  }
)
