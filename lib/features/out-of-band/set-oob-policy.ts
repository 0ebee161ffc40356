import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { OobPolicy, SetOobPolicy } from '#lib/protocol/out-of-band/out-of-band.ts'
import { keepPolicy } from './policy.ts'

/**
 * Says what a session lets in out of band from now on; its followers see it. What waits already stays as it is: held is let in or
 * taken back one by one, and what is visible was accepted.
 */
export async function setOobPolicy(ctx: Ctx, { sessionId, ...policy }: SetOobPolicy): Promise<OobPolicy> {
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, sessionId)
    await keepPolicy(tx, head, policy)
    const [session] = await tx.sql<
      { title: string }[]
    >`select title from sessions where key = ${head.sessionKey}`
    await append(tx, head, [{ type: 'session', title: session?.title ?? '', oobPolicy: policy }])
    return policy
  })
}
