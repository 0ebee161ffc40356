import { expect } from 'vitest'
import type { Pool, Sql } from '#db/client.ts'

/** Resolves when this many connections of the database wait for a lock. */
export const lockWaits = (sql: Pool, count: number): Promise<void> =>
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

/** Locks a session's head in its own transaction, like another process would. `release` commits it. */
export const holdHead = (sql: Pool, sessionKey: number) =>
  hold(sql, tx => tx`select from heads where session_key = ${sessionKey} for update`)

/**
 * Locks the rows of all workers in its own transaction, so that no heartbeat gets through. `release` commits it.
 */
export const holdBeats = (sql: Pool) => hold(sql, tx => tx`select from workers for update`)

async function hold(
  sql: Pool,
  lock: (tx: Sql) => PromiseLike<unknown>
): Promise<{ release(): Promise<void> }> {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const done = sql.begin(async tx => {
    await lock(tx)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return {
    async release() {
      released.resolve()
      await done
    }
  }
}
