import type postgres from 'postgres'
import { expect } from 'vitest'

/** Resolves when this many connections of the database wait for somebody's lock. */
export const lockWaits = (sql: postgres.Sql, count: number): Promise<void> =>
  expect
    .poll(
      async () => {
        const [row] = await sql<{ waiting: number }[]>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return row?.waiting
      },
      { interval: 5, timeout: 10_000 }
    )
    .toBe(count)

/** Holds a session's head in a transaction of its own, as another process would; `release` commits it. */
export async function holdHead(sql: postgres.Sql, sessionKey: number): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const done = sql.begin(async tx => {
    await tx`select from heads where session_key = ${sessionKey} for update`
    held.resolve()
    await released.promise
  })
  await held.promise
  return {
    async release() {
      released.resolve()
      await done
    }
  }
}
