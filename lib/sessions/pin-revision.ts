import type { Pinned, PinRevision } from '@waystation/protocol/agent/agent-revision.ts'
import { inTransaction } from '#db/transaction.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { storedRevision } from '#lib/agents/get-revision.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Pins a session to a revision of its agent, from its next step on. Null follows the published revision again. Open
 * calls keep their configuration, and followers receive an event. Throws `NOT_FOUND` for an unknown session or
 * revision.
 */
export async function pinRevision(ctx: Ctx, { sessionId, revision }: PinRevision): Promise<Pinned> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    if (revision !== null) await storedRevision(tx, { agentId: session.agentId, revision })
    await tx.sql`update sessions set pinned_revision = ${revision} where key = ${session.sessionKey}`
    append(tx, session, [{ type: 'session', title: session.title, pinnedRevision: revision }])
    const published = (await agentIfAny(tx, session.agentId))?.revision
    const current = revision ?? published
    return { sessionId, pinnedRevision: revision, ...(current === undefined ? {} : { revision: current }) }
  })
}
