import type { ExternalAgent } from '@waystation/protocol/agent/agent.ts'
import { withDelivery } from '@waystation/protocol/session/message-parts.ts'
import { consume, type WaitingItem, waitingItems } from '#lib/engine/inbox/drain.ts'
import { injected, markInjected } from '#lib/engine/inbox/drain-out-of-band.ts'
import { oobOf, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { placed, placeMessages, waitingMessages } from '#lib/engine/worker/begin-step/place-messages.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { forwardMessage, forwardOob } from './forward.ts'

/**
 * Forwards the messages and out-of-band messages that wait in the inbox, in their order. Answers stay in the inbox,
 * for a chat agent that takes over later. Retries and extra steps belong to the turn that has ended, and are dropped.
 * The caller holds the session's lock.
 */
export async function forwardItems(tx: Ctx, session: LockedSession, agent: ExternalAgent): Promise<void> {
  const items = (await waitingItems(tx, session.sessionKey)).filter(({ kind }) => kind !== 'answer')
  if (items.length === 0) return
  const stored = await waitingMessages(tx, session.sessionKey)
  for (const item of items) {
    if (item.kind === 'oob') await forwardWaitingOob(tx, session, agent, item)
    for (const row of item.kind === 'message' ? placed([item], stored, session.now) : []) {
      const { message } = row
      const parts = withDelivery(message, { state: 'pending' })
      placeMessages(tx, session, [{ ...row, message: { ...message, parts }, wasQueued: true }])
      await forwardMessage(tx, session, message, agent)
    }
  }
  await consume(tx, items)
}

async function forwardWaitingOob(
  tx: Ctx,
  session: LockedSession,
  agent: ExternalAgent,
  { itemId }: WaitingItem
): Promise<void> {
  const rows = await oobOf(tx, session, [itemId])
  for (const row of rows) {
    await forwardOob(tx, session, wireOob(row), agent)
    await markInjected(tx, session, [injected(row, session.now, row.id)])
  }
}
