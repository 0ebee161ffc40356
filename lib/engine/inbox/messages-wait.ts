import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Whether messages wait that no turn has taken yet. Without a turn on the head they are what a failed one left behind:
 * they come before what is sent now. The head is locked.
 */
export async function messagesWait(tx: Ctx, head: LockedSession): Promise<boolean> {
  const [row] = await tx.sql<{ wait: boolean }[]>`
    select exists (
      select from inbox where session_key = ${head.sessionKey} and consumed_at is null and kind = 'message'
    ) as wait`
  return row?.wait ?? false
}
