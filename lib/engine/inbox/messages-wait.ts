import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Tells whether the inbox contains messages that no turn has taken. If there is no live turn, a failed turn
 * left them, and they come before new messages. Requires the session's lock.
 */
export async function messagesWait(tx: Ctx, session: LockedSession): Promise<boolean> {
  const [row] = await tx.sql<{ wait: boolean }[]>`
    select exists (
      select from inbox where session_key = ${session.sessionKey} and consumed_at is null and kind = 'message'
    ) as wait`
  return row?.wait ?? false
}
