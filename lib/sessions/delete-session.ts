import type { InSession } from '@waystation/protocol/session/session-id.ts'
import { inTransaction } from '#db/transaction.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { purgeGeneration } from './purge-session.ts'

/**
 * Deletes a session with its messages, events, calls, inbox, receipts, deliveries and tokens. `createSession` can
 * revive its ID as an empty session.
 */
export async function deleteSession(ctx: Ctx, input: InSession): Promise<{ sessionId: string }> {
  return inTransaction(ctx, async tx => {
    await purgeGeneration(tx, await lockSession(tx, input.sessionId), 'deleted')
    return { sessionId: input.sessionId }
  })
}
