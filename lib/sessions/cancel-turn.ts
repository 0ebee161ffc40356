import { inTransaction } from '#db/transaction.ts'
import { cancelCalls } from '#lib/engine/calls/cancel.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import { stopTurn } from '#lib/engine/worker/stop-turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CancelTurn } from '#lib/protocol/session/session.ts'

/**
 * Stops the turn that runs now (or only `turnId`, if that one still runs). Open calls stay open unless `calls` is
 * true: then each is settled as cancelled. Nothing running is not an error: `turnId` is null then.
 */
export async function cancelTurn(ctx: Ctx, input: CancelTurn): Promise<{ turnId: string | null }> {
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, input.sessionId)
    const turnId = head.turnId
    const stops = turnId !== null && (input.turnId === undefined || input.turnId === turnId)
    if (input.calls) await cancelCalls(tx, head)
    if (stops) await stopTurn(tx, head, 'cancelled')
    return { turnId: stops ? turnId : null }
  })
}
