import type { OobPolicy, SetOobPolicy } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { storePolicy } from './policy.ts'

/**
 * Sets the session's policy for out-of-band messages and reports it to its clients. Pending messages stay as
 * they are: held ones still need approval, and visible ones are already accepted.
 */
export async function setOobPolicy(ctx: Ctx, { sessionId, ...policy }: SetOobPolicy): Promise<OobPolicy> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    await storePolicy(tx, session, policy)
    const [row] = await tx.sql<
      { title: string }[]
    >`select title from sessions where key = ${session.sessionKey}`
    append(tx, session, [{ type: 'session', title: row?.title ?? '', oobPolicy: policy }])
    return policy
  })
}
