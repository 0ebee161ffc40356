import { inTransaction } from '#db/transaction.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { storedRevision } from '#lib/agents/get-revision.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Pinned, PinRevision } from '#lib/protocol/agent/agent-revision.ts'

/**
 * Has a session run on one revision of its agent from its next step, whatever is published; `null`: on the published one
 * again. Its followers see it. What is open keeps what it opened with. Unknown session or revision: `404`.
 */
export async function pinRevision(ctx: Ctx, { sessionId, revision }: PinRevision): Promise<Pinned> {
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, sessionId)
    if (revision !== null) await storedRevision(tx, { agentId: head.agentId, revision })
    await tx.sql`update sessions set pinned_revision = ${revision} where key = ${head.sessionKey}`
    await append(tx, head, [{ type: 'session', title: head.title, pinnedRevision: revision }])
    const published = (await agentIfAny(tx, head.agentId))?.revision
    const runs = revision ?? published
    return { sessionId, pinnedRevision: revision, ...(runs === undefined ? {} : { revision: runs }) }
  })
}
