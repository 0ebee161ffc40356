import { expect } from 'vitest'
import type { Pool } from '#db/client.ts'
import { isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import type { TestSession } from '#tests/support/servers/test-server.ts'

/**
 * Wakes a session in every possible way. Resolves when each wake-up was handled and all its effects are over. Call
 * it instead of a pause in tests that expect nothing to happen. Needs a worker.
 */
export async function wakeAll(sql: Pool, session: Pick<TestSession, 'key'>): Promise<void> {
  await sql`select graphile_worker.add_job('requeue-runnable')`
  await sql`select graphile_worker.add_job('wake', ${{ sessionKey: session.key }}::json)`
  await expect
    .poll(async () => (await sql`select from graphile_worker.jobs where run_at <= now()`).length, {
      timeout: 10_000
    })
    .toBe(0)
  await expect.poll(() => isServerIdle(sql), { timeout: 10_000 }).toBe(true)
}
