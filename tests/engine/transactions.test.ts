import { expect, test } from 'vitest'
import { connect } from '#db/client.ts'
import { inTransaction, together } from '#db/transaction.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

test('nothing of a failed transaction is written after its rollback, however late its other statements come', async () => {
  const { ctx, sql, session: open } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await open()
  const later = async (ticks: number, work: () => Promise<unknown>): Promise<unknown> =>
    ticks === 0 ? work() : await later(ticks - 1, work)
  for (const ticks of [0, 2, 4, 6, 10, 20]) {
    const stray = Promise.withResolvers<unknown>()
    const failed = inTransaction(ctx, async tx => {
      const writes = later(ticks, async () => tx.sql`select 1`).then(
        () => tx.sql`update sessions set title = ${`leaked at ${ticks}`} where key = ${session.key}`
      )
      stray.resolve(Promise.allSettled([writes]))
      await together([writes, tx.sql`select 1 / 0`])
    })
    await expect(failed).rejects.toMatchObject({ code: '22012' })
    await stray.promise
    const [row] = await sql`select title from sessions where key = ${session.key}`
    expect(row?.title, `${ticks} ticks later`).toBe('')
  }
})

test('a transaction that begins behind hundreds of statements is one', async () => {
  const { databaseUrl } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const url = databaseUrl()
  const sql = connect(url, { max: 2 })
  const statements = (count: number) => Array.from({ length: count }, (_, i) => sql`select ${i}::int as n`)
  await Promise.all(statements(2))
  // The driver's pipelines are 100 statements long.
  for (let before = 190; before <= 210; before++) {
    const sent = Promise.all(statements(before))
    // They are on their way, and nothing has come back.
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
