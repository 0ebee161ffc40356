import { inTransaction } from '#db/transaction.ts'
import { lockHead } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { InSession } from '#lib/protocol/session.ts'

/**
 * Deletes a session: messages, events, calls, inbox, keys, deliveries and tokens are gone, and its ID may be revived empty.
 * `seq` never restarts and the generation moves on, so an old cursor, answer link or worker meets a wall (design 3).
 */
export async function deleteSession(ctx: Ctx, input: InSession): Promise<{ sessionId: string }> {
  return inTransaction(ctx, async tx => {
    const head = await lockHead(tx, input.sessionId)
    const key = head.sessionKey
    await tx.sql`
      with moved as (
        update heads set seq = seq + 1, generation = generation + 1, epoch = epoch + 1, owner = null, owed = 0, turn_id = null,
          cancel_requested = null where session_key = ${key} returning seq
      )
      update sessions set deleted_at = clock_timestamp(), floor = (select seq from moved), status = 'idle', title = '',
        snippet = '', error = null, retry_at = null, summary = '', context_start = 0, context_tokens = 0, client_tools = '[]'
      where key = ${key}`
    for (const table of [
      'calls',
      'inbox',
      'events',
      'messages',
      'context',
      'turns',
      'receipts',
      'deliveries',
      'session_tokens'
    ]) {
      await tx.sql`delete from ${tx.sql(table)} where session_key = ${key}`
    }
    tx.afterCommit(() => tx.ports.ring(key))
    return { sessionId: input.sessionId }
  })
}
