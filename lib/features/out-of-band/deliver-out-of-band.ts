import { injected, markInjected } from '#lib/engine/inbox/drain-out-of-band.ts'
import { type OobRow, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { put } from '#lib/engine/inbox/put.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { agentOfSession } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'

/**
 * Brings what was let in to the agent: into the inbox, whence the turn takes it; another system is told at once (000), since
 * it has no turn of ours to wait for. As it is then. The head is locked.
 */
export async function deliverOutOfBand(tx: Ctx, head: LockedSession, row: OobRow): Promise<OutOfBand> {
  if (!head.external) {
    const resting = row.metadata.action === 'abort'
    await put(tx, head, { kind: 'oob', itemId: row.id, priority: row.priority, resting })
    return wireOob(row)
  }
  const agent = await agentOfSession(tx, head)
  if (agent.type !== 'external') return wireOob(row)
  await tx.ports.sessions.external.forwardOutOfBand(tx, head, wireOob(row), agent.external)
  const told = injected(row, row.visibleAt ?? row.queuedAt, row.id)
  await markInjected(tx, head, [told])
  return told
}
