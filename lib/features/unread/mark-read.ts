import { notFound } from '@waystation/base/api-error.ts'
import type { MarkRead } from '@waystation/protocol/session/mark-read.ts'
import { inTransaction } from '#db/transaction.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'

/**
 * Stores that the caller has read a session up to this message. An earlier message than before changes nothing. A
 * reply that is not complete yet becomes unread once it is.
 *
 * @throws ApiError `NOT_FOUND`, `EXPIRED`
 */
export async function markRead(ctx: Ctx, { sessionId, messageId }: MarkRead): Promise<MarkRead> {
  return inTransaction(ctx, async tx => {
    const { sessionKey } = await lockSession(tx, sessionId)
    const marked = await tx.sql`
      insert into session_reads (session_key, reader, read_pos)
      select session_key, ${identityOf(tx.actor).id}, pos - (not done)::int from messages
      where session_key = ${sessionKey} and id = ${messageId}
      on conflict (session_key, reader) do update
      set read_pos = greatest(session_reads.read_pos, excluded.read_pos) returning 1`
    if (marked.length === 0) throw notFound('message', messageId)
    return { sessionId, messageId }
  })
}
