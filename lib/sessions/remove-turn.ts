import { inTransaction } from '#db/transaction.ts'
import { lockHead } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { RemovedTurn, RemoveTurn } from '#lib/protocol/turn-action.ts'
import { forgetStrayFiles } from './forget-files.ts'
import { takeOut } from './take-out.ts'
import { turnAt } from './turn-at.ts'

/** Deletes one turn from the conversation and from the model's context; what came before and after it stays. */
export async function removeTurn(ctx: Ctx, input: RemoveTurn): Promise<RemovedTurn> {
  return inTransaction(ctx, async tx => {
    const head = await lockHead(tx, input.sessionId)
    const { from, to } = await turnAt(tx, head, input.messageId)
    const messageIds = await takeOut(tx, head, { from, to, why: 'delete', calls: input.calls })
    await forgetStrayFiles(tx, head)
    return { messageIds }
  })
}
