import { iso } from '#db/client.ts'
import type { Ctx, Fired, InSessionOf } from '#lib/kernel/ctx.ts'
import { openDelivery } from './open.ts'

/** A webhook's receiver may be down for a while: tries after the first, over a quarter of an hour or so. */
const retries = 10

/**
 * Tells the workspace's webhooks of something, in the transaction in which it happened: a delivery for each that asked for
 * this event. `about` makes it one of its kind, so that what is done twice is told once. Without webhooks it is one look.
 */
export async function fireWebhooks(
  tx: Ctx,
  { workspaceId, sessionKey, sessionId, agentId }: InSessionOf,
  { type, about, data }: Fired
): Promise<void> {
  const hooks = await tx.sql<{ id: string; url: string; now: string }[]>`
    select id, url, clock_timestamp() as now from webhooks
    where workspace_id = ${workspaceId} and events @> to_jsonb(${type}::text)`
  for (const { id, url, now } of hooks)
    await openDelivery(tx, {
      id: `dlv_${id}_${type}_${sessionKey}_${about}`,
      workspaceId,
      sessionKey,
      kind: 'webhook',
      webhookId: id,
      url,
      body: {
        type,
        timestamp: iso(now),
        data: { sessionId, agentId, url: `${tx.ports.origin}/sessions/${sessionId}`, ...data }
      },
      retries
    })
}
