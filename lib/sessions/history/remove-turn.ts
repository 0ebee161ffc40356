import type { RemovedTurn, RemoveTurn } from '@waystation/protocol/session/turn-action.ts'
import { inTransaction } from '#db/transaction.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { deleteUnreferencedFiles } from '#lib/sessions/files/forget-files.ts'
import { findTurn } from './find-turn.ts'
import { removeMessages } from './remove-messages.ts'

/** Deletes one turn from the conversation and from the model's context. The turns before and after it stay. */
export async function removeTurn(ctx: Ctx, input: RemoveTurn): Promise<RemovedTurn> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, input.sessionId)
    const { from, to } = await findTurn(tx, session, input.messageId)
    const messageIds = await removeMessages(tx, session, { from, to, why: 'delete', calls: input.calls })
    await deleteUnreferencedFiles(tx, session)
    return { messageIds }
  })
}
