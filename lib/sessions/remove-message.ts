import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { RemoveMessage } from '@waystation/protocol/session/session.ts'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { deleteUnreferencedFiles } from '#lib/sessions/files/forget-files.ts'

/**
 * Removes a queued message. Throws `NOT_FOUND` if it is unknown, and `CONFLICT` if the agent has already received it.
 */
export async function removeMessage(ctx: Ctx, input: RemoveMessage): Promise<{ itemId: string }> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, input.sessionId)
    const [removed] = await tx.sql<{ messageId: string }[]>`
      delete from inbox where session_key = ${session.sessionKey} and item_id = ${input.itemId}
        and kind = 'message' and mode <> 'start' and consumed_at is null
      returning message_id`
    if (removed === undefined) {
      const [consumed] = await tx.sql`
        select from inbox where session_key = ${session.sessionKey} and item_id = ${input.itemId} and kind = 'message'`
      if (consumed === undefined) throw notFound('queued message', input.itemId)
      throw new ApiError('CONFLICT', 'The agent has already received this message, so it cannot be removed.')
    }
    await tx.sql`delete from messages where session_key = ${session.sessionKey} and id = ${removed.messageId}`
    await deleteUnreferencedFiles(tx, session)
    append(tx, session, [{ type: 'message-removed', messageId: removed.messageId }])
    return { itemId: input.itemId }
  })
}
