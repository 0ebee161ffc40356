import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { enqueueNext } from './deliver.ts'
import { type DeliveryRow, deliveryColumns, wireDelivery } from './delivery-row.ts'
import { showOnMessage } from './show-on-message.ts'

/**
 * Gives up the retry of the session's message that its external agent did not accept, so that the next ones can follow.
 * The message failed, and a user can send it again. An attempt that is under way ends, but is not repeated. Messages
 * without an attempt stay pending. Needs the session's lock.
 */
export async function giveUpRetry(tx: Ctx, session: LockedSession): Promise<void> {
  const ofSession = tx.sql`session_key = ${session.sessionKey} and kind = 'message' and state = 'pending'`
  await tx.sql`
    update deliveries set retries = jsonb_array_length(attempts)
    where ${ofSession} and claimed_until > clock_timestamp()`
  const failed = await tx.sql<DeliveryRow[]>`
    update deliveries set state = 'failed', next_at = null
    where ${ofSession} and jsonb_array_length(attempts) > 0 and coalesce(claimed_until, '-infinity') <= clock_timestamp()
    returning ${deliveryColumns(tx.sql)}`
  for (const row of failed) {
    append(tx, session, [{ type: 'delivery', delivery: wireDelivery(row) }])
    await showOnMessage(tx, session, row.messageId, ({ nextAt: _, ...before }) => ({
      ...before,
      state: 'failed'
    }))
  }
  if (failed.length > 0) await enqueueNext(tx, session.sessionKey)
}
