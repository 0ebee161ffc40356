import { expect, test } from 'vitest'
import { inTransaction, together } from '#db/transaction.ts'
import { testWorld } from '#tests/support/world.ts'

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
