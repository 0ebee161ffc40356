import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type DeliveryRow, deliveryColumns } from './delivery-row.ts'

/** A request to send. `id` identifies its subject, which has one delivery. */
export type NewDelivery = {
  id: string
  workspaceId: string
  sessionKey: number
  kind: Delivery['kind']
  toolCallId?: string
  messageId?: string
  webhookId?: string
  url: string
  body: Record<string, unknown>
  retries: number
}

/**
 * Stores a delivery and enqueues its job, in the caller's transaction. Returns undefined if the delivery already
 * exists.
 */
export async function createDelivery(ctx: Ctx, delivery: NewDelivery): Promise<DeliveryRow | undefined> {
  const { id, workspaceId, sessionKey, kind, toolCallId, messageId, webhookId, url, body, retries } = delivery
  const [row] = await ctx.sql<DeliveryRow[]>`
    insert into deliveries (id, workspace_id, session_key, kind, tool_call_id, message_id, webhook_id, url, body, retries)
    values (${id}, ${workspaceId}, ${sessionKey}, ${kind}, ${toolCallId ?? null}, ${messageId ?? null}, ${webhookId ?? null}, ${url},
      ${body}::jsonb, ${retries})
    on conflict do nothing returning ${deliveryColumns(ctx.sql)}`
  if (row !== undefined) await enqueue(ctx, 'deliver', { deliveryId: id }, { key: `deliver:${id}` })
  return row
}
