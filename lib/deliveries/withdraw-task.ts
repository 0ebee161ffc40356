import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { enqueueNext } from './deliver.ts'
import { showOnMessage } from './show-on-message.ts'

/**
 * Withdraws the pending messages that give a sub-agent's task to an external agent (001-16), because the task has
 * ended. Returns whether there were any. Needs the lock of the sub-agent's session.
 */
export async function withdrawTask(tx: Ctx, session: LockedSession): Promise<boolean> {
  const withdrawn = await tx.sql<{ messageId: string }[]>`
    update deliveries set state = 'withdrawn', next_at = null
    where session_key = ${session.sessionKey} and kind = 'message' and state = 'pending' and body ? 'task'
    returning message_id`
  if (withdrawn.length === 0) return false
  for (const { messageId } of withdrawn)
    await showOnMessage(tx, session, messageId, () => ({ state: 'failed' }))
  await enqueueNext(tx, session.sessionKey)
  return true
}
