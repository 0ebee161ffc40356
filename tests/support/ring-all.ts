import type postgres from 'postgres'
import { expect } from 'vitest'
import { atRest } from '#tests/support/facts.ts'
import type { TestSession } from '#tests/support/world.ts'

/**
 * Rings for a session by every bell there is, and resolves when all of it was heard and whatever it set off is over:
 * what would begin by itself has begun by then. Needs a worker. For showing that nothing happens without waiting for it.
 */
export async function ringAll(sql: postgres.Sql, session: Pick<TestSession, 'key'>): Promise<void> {
  await sql`select graphile_worker.add_job('ring-owed')`
  await sql`select graphile_worker.add_job('wake', ${JSON.stringify({ sessionKey: session.key })}::json)`
  await expect
    .poll(async () => (await sql`select from graphile_worker.jobs where run_at <= now()`).length, {
      timeout: 10_000
    })
    .toBe(0)
  await expect.poll(() => atRest(sql), { timeout: 10_000 }).toBe(true)
}
