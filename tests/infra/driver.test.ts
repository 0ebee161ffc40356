import { type AddressInfo, createServer, Socket } from 'node:net'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { lastingPool } from '#lib/infra/queue/lasting-pool.ts'
import { createDatabase } from '#tests/support/worlds/database.ts'

/** A pool of ours, and somebody who ends its connections as a database that dies does. `hosts`: so many names of the same one. */
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
    /** Resolves once a statement of it sleeps. */
    sleeps: () => expect.poll(async () => (await asleep()).length).toBeGreaterThan(0),
    kill: () => killer`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name = 'victim' and datname = current_database()`,
    kept: async () => (await killer<{ n: number }[]>`select n from kept order by n`).map(({ n }) => n)
  }
}

/** How it ended: what came of it, or the code of what went wrong. */
const outcome = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => 'ok',
    error => (error as { code?: string }).code
  )

test('connections that end while something is about to be written on them are all used again', async () => {
  const size = 8
  const { sql, sleeps, kill } = await pool(size)
  const all = () => Promise.all(Array.from({ length: size }, () => outcome(sql`select pg_sleep(0.05)`)))
  for (let round = 0; round < 10; round++) {
    await all()
    // As each of these fails, the next is asked for on a connection that is about to be found closed as well.
    const busy = Array.from({ length: size / 2 }, async () => {
      await outcome(sql`select pg_sleep(60)`)
      return [await outcome(sql`select 1`), await outcome(sql`select 1`)]
    })
    await sql`select 1`
    await sleeps()
    await kill()
    expect((await Promise.all(busy)).flat()).not.toContain('CONNECT_TIMEOUT')
    // One that was idle may not know yet that it ended.
    expect(await all()).not.toContain('CONNECT_TIMEOUT')
    expect(await all()).toEqual(Array(size).fill('ok'))
  }
}, 180_000)

test('a transaction whose connection ended does nothing more, though its pool has connected again meanwhile', async () => {
  const { sql, kill, kept } = await pool(1)
  const late = Promise.withResolvers<unknown>()
  const transaction = inTransaction({ sql }, async ({ sql: tx }) => {
    await tx`insert into kept values (1)`
    const others = [outcome(sql`select 1`), outcome(sql`select 1`)]
    await kill()
    // On the very connection that the transaction was on, anew.
    expect(await Promise.all(others)).toContain('ok')
    late.resolve(await outcome(tx`insert into kept values (2)`))
  })
  expect(await outcome(transaction)).toBe('CONNECTION_CLOSED')
  expect(await late.promise).toBe('CONNECTION_CLOSED')
  expect(await kept()).toEqual([])
  await inTransaction({ sql }, async ({ sql: tx }) => void (await tx`insert into kept values (3)`))
  expect(await kept()).toEqual([3])
})

test('statements of a transaction that were not sent yet fail with its connection, and so does its rollback', async () => {
  const { sql, sleeps, kill, kept } = await pool(1)
  const told = Promise.withResolvers<unknown[]>()
  const transaction = inTransaction({ sql }, async ({ sql: tx }) => {
    const slow = outcome(tx`select pg_sleep(60)`)
    const more = [1, 2, 3].map(n => outcome(tx`insert into kept values (${n})`))
    await sleeps()
    await kill()
    told.resolve(await Promise.all([slow, ...more]))
    throw new Error('Enough.')
  })
  expect(await outcome(transaction)).toBe('CONNECTION_CLOSED')
  expect(await told.promise).toEqual(Array(4).fill('CONNECTION_CLOSED'))
  expect(await kept()).toEqual([])
})

test('what ended one connection is not told to whoever is first on the next one', async () => {
  const { sql, sleeps, kill } = await pool(1)
  for (let round = 0; round < 5; round++) {
    const slow = outcome(sql`select pg_sleep(60)`)
    await sleeps()
    await kill()
    expect(await slow).toBe('CONNECTION_CLOSED')
    expect(await sql`select 7 as n`).toEqual([{ n: 7 }])
  }
})

test('a door that closes at once, as a proxy’s does whose database is down, fails a statement soon and is not hammered at', async () => {
  let knocked = 0
  const door = createServer(socket => {
    knocked += 1
    socket.end()
  })
  await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void door.close())
  const { port } = door.address() as AddressInfo
  const sql = connect(`postgres://nobody@127.0.0.1:${port}/none`, { max: 1 })
  for (let n = 1; n <= 5; n++) {
    expect(await outcome(sql`select 1`)).toBe('CONNECTION_CLOSED')
    expect(knocked).toBe(n)
  }
  await sql.end({ timeout: 1 })
})

test('with several hosts too a statement fails when its new connection ends', async () => {
  const { sql, sleeps, kill } = await pool(1, 2)
  const slow = outcome(sql`select pg_sleep(60)`)
  await sleeps()
  await kill()
  expect(await slow).toBe('CONNECTION_CLOSED')
  expect(await sql`select 7 as n`).toEqual([{ n: 7 }])
})

test('an address that cannot be reached at all fails a statement, and takes no process along', async () => {
  // Refused at once by the system itself (RFC 919: a broadcast is no address to connect to).
  const sql = connect('postgres://nobody@255.255.255.255:5432/none', { max: 1 })
  expect(await outcome(sql`select 1`)).toMatch(/^E[A-Z]+$/)
  await sql.end({ timeout: 1 })
})

test.each(['EAI_AGAIN', 'ENOTFOUND', 'ECONNREFUSED'])(
  'to the job queue %s is a lost connection, not the end of its process',
  async code => {
    const stream = () => {
      const socket = new Socket()
      socket.connect = () => socket.destroy(Object.assign(new Error(code), { code }))
      return socket
    }
    const jobs = lastingPool({ stream })
    // "cannot connect now", which graphile tries again.
    expect(await outcome(jobs.connect())).toBe('57P03')
    await jobs.end()
  }
)
