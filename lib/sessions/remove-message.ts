import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import type { RemoveMessage } from '#lib/protocol/session/session.ts'
import { forgetStrayFiles } from '#lib/sessions/files/forget-files.ts'

/** Takes a queued message back. Throws `404 NOT_FOUND` for an unknown one, and `409 CONFLICT` when the agent has it. */
export async function removeMessage(ctx: Ctx, input: RemoveMessage): Promise<{ itemId: string }> {
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, input.sessionId)
    const [taken] = await tx.sql<{ messageId: string }[]>`
      delete from inbox where session_key = ${head.sessionKey} and item_id = ${input.itemId}
        and kind = 'message' and mode <> 'start' and consumed_at is null
      returning message_id`
    if (taken === undefined) {
      const [known] = await tx.sql`
        select from inbox where session_key = ${head.sessionKey} and item_id = ${input.itemId} and kind = 'message'`
      if (known === undefined) throw notFound('queued message', input.itemId)
      throw new Refusal('CONFLICT', 'The agent has already received this message, so it cannot be removed.')
    }
    await tx.sql`delete from messages where session_key = ${head.sessionKey} and id = ${taken.messageId}`
    await forgetStrayFiles(tx, head)
    await append(tx, head, [{ type: 'message-removed', messageId: taken.messageId }])
    return { itemId: input.itemId }
  })
}
