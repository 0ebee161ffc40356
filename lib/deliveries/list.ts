import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Delivery } from '#lib/protocol/external-agent/delivery.ts'
import type { InSession } from '#lib/protocol/session/session.ts'
import { type DeliveryRow, deliveryColumns, wireDelivery } from './delivery-row.ts'

/** How many are told, the newest. */
const most = 100

/** What a session sent out to other systems, newest first, with every attempt. Unknown or another workspace's: `404`. */
export async function listDeliveries(ctx: Ctx, input: InSession): Promise<{ deliveries: Delivery[] }> {
  const key = await sessionKeyOf(ctx, input.sessionId)
  const rows = await ctx.sql<DeliveryRow[]>`
    select ${deliveryColumns(ctx.sql)} from deliveries where session_key = ${key} order by created_at desc, id limit ${most}`
  return { deliveries: rows.map(wireDelivery) }
}
