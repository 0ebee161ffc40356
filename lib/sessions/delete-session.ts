import { inTransaction } from '#db/transaction.ts'
import { lockHead } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { InSession } from '#lib/protocol/session.ts'
import { removeLife } from './remove-life.ts'

/**
 * Deletes a session: messages, events, calls, inbox, keys, deliveries and tokens are gone, and its ID may be revived empty.
 */
export async function deleteSession(ctx: Ctx, input: InSession): Promise<{ sessionId: string }> {
  return inTransaction(ctx, async tx => {
    await removeLife(tx, await lockHead(tx, input.sessionId), 'deleted')
    return { sessionId: input.sessionId }
  })
}
