import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { atLimit } from './at-limit.ts'

/**
 * Whether out-of-band input waits that the turn on the head is to be told before it ends (`oob/drain.ts`): it came behind
 * the turn's own last look. Only for a turn whose newest step waits for nothing. The head is locked.
 */
export async function newsWaits(tx: Ctx, head: Head): Promise<boolean> {
  const [row] = await tx.sql<{ waits: boolean }[]>`
    select exists (
      select from inbox where session_key = ${head.sessionKey} and consumed_at is null and kind = 'oob'
        and payload ->> 'resting' = 'false'
    ) and not ${atLimit(tx, head)} as waits`
  return row?.waits ?? false
}
