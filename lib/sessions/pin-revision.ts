import type { Pinned, PinRevision } from '@waystation/protocol/agent/agent-revision.ts'
import { inTransaction } from '#db/transaction.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { revisionFor } from '#lib/agents/snapshots.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Pins a session to a revision of its agent, or to a snapshot of the draft, from its next step on. Null follows the
 * published revision again. Open calls keep their configuration, and followers receive an event. Throws `NOT_FOUND` for an unknown session or
 * revision.
 */
export async function pinRevision(ctx: Ctx, { sessionId, revision }: PinRevision): Promise<Pinned> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    const pin = revision === null ? null : await revisionFor(tx, session.agentId, { revision })
    await tx.sql`update sessions set pinned_revision = ${pin} where key = ${session.sessionKey}`
    append(tx, session, [{ type: 'session', title: session.title, pinnedRevision: pin }])
    const published = (await agentIfAny(tx, session.agentId))?.revision
    const current = pin ?? published
    return { sessionId, pinnedRevision: pin, ...(current === undefined ? {} : { revision: current }) }
  })
}
