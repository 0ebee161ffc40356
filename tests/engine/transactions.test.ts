import { expect, test } from 'vitest'
import { connect } from '#db/client.ts'
import { inTransaction, pipelined } from '#db/transaction.ts'
import { change } from '#lib/engine/log/append.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('a failed transaction writes nothing after its rollback, however late its other statements arrive', async () => {
  const {
    ctx,
    sql,
    startSession: openSession
  } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await openSession()
  const afterTicks = async (ticks: number, work: () => Promise<unknown>): Promise<unknown> =>
    ticks === 0 ? work() : await afterTicks(ticks - 1, work)
  for (const ticks of [0, 2, 4, 6, 10, 20]) {
    const lateStatement = Promise.withResolvers<unknown>()
    const failed = inTransaction(ctx, async tx => {
      const writes = afterTicks(ticks, async () => tx.sql`select 1`).then(
        () => tx.sql`update sessions set title = ${`leaked at ${ticks}`} where key = ${session.key}`
      )
      lateStatement.resolve(Promise.allSettled([writes]))
      await pipelined([writes, tx.sql`select 1 / 0`])
    })
    await expect(failed).rejects.toMatchObject({ code: '22012' })
    await lateStatement.promise
    const [row] = await sql`select title from sessions where key = ${session.key}`
    expect(row?.title, `${ticks} ticks later`).toBe('')
  }
})

test('a transaction that starts behind hundreds of statements is atomic', async () => {
  const { databaseUrl } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const url = databaseUrl()
  const sql = connect(url, { max: 2 })
  const statements = (count: number) => Array.from({ length: count }, (_, i) => sql`select ${i}::int as n`)
  await Promise.all(statements(2))
  // The pipelines of the driver are 100 statements long.
  for (let before = 190; before <= 210; before++) {
    const sent = Promise.all(statements(before))
    // The statements are sent, and no response has arrived.
    for (let tick = 0; tick < 3; tick++) await null
    const [first, second] = await inTransaction({ sql }, async ({ sql: tx }) => [
      ...(await tx`select pg_current_xact_id()::text as id`),
      ...(await tx`select pg_current_xact_id()::text as id`)
    ])
    expect(first, `behind ${before}`).toEqual(second)
    await sent
  }
  await sql.end()
})

test('a transaction whose last write fails along with its commit stores nothing, and reports the failure', async () => {
  const { ctx, sql, startSession } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await startSession()
  let told = false
  const committing = inTransaction(ctx, async tx => {
    tx.afterCommit(() => {
      told = true
    })
    await tx.sql`update sessions set title = 'stored anyway' where key = ${session.key}`
    tx.beforeCommit(async () => tx.sql`select 1 / 0`)
  })
  await expect(committing).rejects.toMatchObject({ code: '22012' })
  expect(told).toBe(false)
  expect(await sql`select title from sessions where key = ${session.key}`).toEqual([{ title: '' }])
})

test('a write that was left for the commit is stored with it, or earlier for the reads that need it', async () => {
  const { ctx, sql, startSession } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await startSession()
  const title = async (reader: typeof ctx.sql) =>
    (await reader<{ title: string }[]>`select title from sessions where key = ${session.key}`)[0]?.title
  const rename = (tx: typeof ctx, to: string) =>
    tx.beforeCommit(async () => tx.sql`update sessions set title = ${to} where key = ${session.key}`)
  await inTransaction(ctx, async tx => {
    rename(tx, 'first')
    expect(await title(tx.sql)).toBe('')
    await tx.flush()
    expect(await title(tx.sql)).toBe('first')
    rename(tx, 'second')
  })
  expect(await title(sql)).toBe('second')
})

test('a transaction that waited for a session reads all that the other one changed', async () => {
  const { ctx, sql, startSession } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await startSession()
  const waiters = async () =>
    (await sql`select from pg_locks where not granted and pid <> pg_backend_pid()`).length
  const waiting = Promise.withResolvers<Promise<unknown>>()
  await inTransaction(ctx, async tx => {
    const locked = await lockSessionByKey(tx, session.key)
    if (locked === undefined) throw new Error('The session was not locked.')
    waiting.resolve(
      inTransaction(ctx, async other => {
        const { title, seq, hasWork, epoch } = { ...(await lockSessionByKey(other, session.key)) }
        return { title, seq, hasWork, epoch }
      })
    )
    await expect.poll(waiters).toBeGreaterThan(0)
    change(tx, locked, { title: 'changed', epoch: 7, hasWork: 1 })
  })
  expect(await await waiting.promise).toMatchObject({ title: 'changed', epoch: 7, hasWork: 1 })
})
