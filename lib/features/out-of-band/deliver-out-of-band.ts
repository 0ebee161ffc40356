import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { agentOfSession } from '#lib/agents/agent-of-session.ts'
import { injected, markInjected } from '#lib/engine/inbox/drain-out-of-band.ts'
import { type OobRow, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { put } from '#lib/engine/inbox/put.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Delivers an accepted message: puts it into the inbox, from which a turn takes it. An external agent
 * receives it at once, because it has no turn here to wait for. Returns the message in its new state. The
 * caller holds the session's lock.
 */
export async function deliverOutOfBand(tx: Ctx, session: LockedSession, row: OobRow): Promise<OutOfBand> {
  if (!session.external) {
    const resting = row.metadata.action === 'abort'
    await put(tx, session, { kind: 'oob', itemId: row.id, priority: row.priority, resting })
    return wireOob(row)
  }
  const agent = await agentOfSession(tx, session)
  if (agent.type !== 'external') return wireOob(row)
  await tx.ports.sessions.external.forwardOutOfBand(tx, session, wireOob(row), agent)
  const delivered = injected(row, row.visibleAt ?? row.queuedAt, row.id)
  await markInjected(tx, session, [delivered])
  return delivered
}
