import { createDelivery } from '#lib/deliveries/open.ts'
import type { Ctx, SessionRef, WebhookTrigger } from '#lib/kernel/ctx.ts'
import { answerPage } from './answer-links/answer-page-link.ts'

/** Retries after the first attempt, over about a quarter of an hour, in case the receiver is down. */
const retries = 10

/**
 * Opens a delivery of an event for each webhook that subscribes to it, in the transaction of the event.
 * `about` identifies the event, so that a repeated one is delivered once. If `asks` is set, the delivery
 * includes a link through which its holder can answer. Without webhooks it costs one query. Trials announce nothing.
 */
export async function notifyWebhooks(
  tx: Ctx,
  { workspaceId, sessionKey, sessionId, agentId }: SessionRef,
  { type, about, data, asks }: WebhookTrigger
): Promise<void> {
  const hooks = await tx.sql<{ id: string; url: string; now: string; secret: string }[]>`
    select h.id, h.url, clock_timestamp() as now, w.link_secret as secret
    from webhooks h join workspaces w on w.id = h.workspace_id
    where h.workspace_id = ${workspaceId} and h.events @> to_jsonb(${type}::text)
      and not exists (select from sessions where key = ${sessionKey} and trial)`
  for (const { id, url, now, secret } of hooks)
    await createDelivery(tx, {
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
