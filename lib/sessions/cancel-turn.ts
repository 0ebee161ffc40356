import type { CancelTurn } from '@waystation/protocol/session/session.ts'
import { inTransaction } from '#db/transaction.ts'
import { speakerOfSession } from '#lib/agents/agent-of-session.ts'
import { cancelCalls } from '#lib/engine/calls/cancel.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { stopTurn } from './stop-turn.ts'

/**
 * Stops the running turn, or with `turnId` only that turn. Open calls stay open unless `calls` is true, which cancels
 * them. If no matching turn is running, it returns null as `turnId`. An external agent runs no turn, and is asked to
 * stop.
 */
export async function cancelTurn(ctx: Ctx, input: CancelTurn): Promise<{ turnId: string | null }> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, input.sessionId)
    const turnId = session.turnId
    const stops = turnId !== null && (input.turnId === undefined || input.turnId === turnId)
    if (input.calls) await cancelCalls(tx, session)
    if (stops) await stopTurn(tx, session, 'cancelled')
    else if (session.external && input.turnId === undefined) {
      const { config } = await speakerOfSession(tx, session)
      if (config?.type === 'external') await tx.ports.sessions.external.stop(tx, session, config)
    }
    return { turnId: stops ? turnId : null }
  })
}
