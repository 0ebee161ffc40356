import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Delivery } from '#lib/protocol/external-agent/delivery.ts'
import { type DeliveryRow, deliveryColumns } from './delivery-row.ts'

/** Something to be sent. `id` says what it is about: there is one delivery of each. */
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

/** Stores a delivery and rings for it, in the caller's transaction. Undefined: it is there already. */
export async function openDelivery(ctx: Ctx, delivery: NewDelivery): Promise<DeliveryRow | undefined> {
  const { id, workspaceId, sessionKey, kind, toolCallId, messageId, webhookId, url, body, retries } = delivery
  const [made] = await ctx.sql<DeliveryRow[]>`
    insert into deliveries (id, workspace_id, session_key, kind, tool_call_id, message_id, webhook_id, url, body, retries)
    values (${id}, ${workspaceId}, ${sessionKey}, ${kind}, ${toolCallId ?? null}, ${messageId ?? null}, ${webhookId ?? null}, ${url},
      ${body}::jsonb, ${retries})
    on conflict do nothing returning ${deliveryColumns(ctx.sql)}`
  if (made !== undefined) await enqueue(ctx, 'deliver', { deliveryId: id }, { key: `deliver:${id}` })
  return made
}
