import { openDelivery } from '#lib/deliveries/open.ts'
import type { Ctx, Fired, InSessionOf } from '#lib/kernel/ctx.ts'
import { answerPage } from './answer-links/answer-page-link.ts'

/** A webhook's receiver may be down for a while: tries after the first, over a quarter of an hour or so. */
const retries = 10

/**
 * Tells the workspace's webhooks of something, in the transaction in which it happened: a delivery for each that asked for
 * this event. `about` makes it one of its kind, so that what is done twice is told once. What asks something of people comes
 * with a link of that webhook's own, through which whoever has it answers. Without webhooks it is one look.
 */
export async function notifyWebhooks(
  tx: Ctx,
  { workspaceId, sessionKey, sessionId, agentId }: InSessionOf,
  { type, about, data, asks }: Fired
): Promise<void> {
  const hooks = await tx.sql<{ id: string; url: string; now: string; secret: string }[]>`
    select h.id, h.url, clock_timestamp() as now, w.link_secret as secret
    from webhooks h join workspaces w on w.id = h.workspace_id
    where h.workspace_id = ${workspaceId} and h.events @> to_jsonb(${type}::text)`
  for (const { id, url, now, secret } of hooks)
    await openDelivery(tx, {
      id: `dlv_${id}_${type}_${sessionKey}_${about}`,
      workspaceId,
      sessionKey,
      kind: 'webhook',
      webhookId: id,
      url,
      body: {
        type,
        timestamp: now,
        data: {
          sessionId,
          agentId,
          url: `${tx.ports.origin}/sessions/${sessionId}`,
          ...data,
          ...(asks === undefined
            ? {}
            : {
                answerPage: answerPage(tx.ports.origin, secret, {
                  workspaceId,
                  sessionKey,
                  webhookId: id,
                  ...asks
                })
              })
        }
      },
      retries
    })
}
