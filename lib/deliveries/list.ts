import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import type { InSession } from '@waystation/protocol/session/session-id.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type DeliveryRow, deliveryColumns, wireDelivery } from './delivery-row.ts'

/** The most deliveries in a list. */
const maxDeliveries = 100

/**
 * Lists a session's newest deliveries with all their attempts, newest first. Throws `NOT_FOUND` if the session is
 * unknown or in another workspace.
 */
export async function listDeliveries(ctx: Ctx, input: InSession): Promise<{ deliveries: Delivery[] }> {
  const key = await sessionKeyOf(ctx, input.sessionId)
  const rows = await ctx.sql<DeliveryRow[]>`
    select ${deliveryColumns(ctx.sql)} from deliveries where session_key = ${key} order by created_at desc, id limit ${maxDeliveries}`
  return { deliveries: rows.map(wireDelivery) }
}
