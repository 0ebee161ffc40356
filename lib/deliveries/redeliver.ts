import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { Delivery, Redeliver } from '@waystation/protocol/external-agent/delivery.ts'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type DeliveryRow, deliveryColumns, wireDelivery } from './delivery-row.ts'
import { showOnMessage } from './show-on-message.ts'

/**
 * Sends a failed or delivered delivery again under the same ID. A pending delivery is returned unchanged. Throws
 * `CONFLICT` if it was withdrawn or its webhook was deleted.
 */
export async function redeliver(ctx: Ctx, { sessionId, deliveryId }: Redeliver): Promise<Delivery> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    const [row] = await tx.sql<DeliveryRow[]>`
      select ${deliveryColumns(tx.sql)} from deliveries where id = ${deliveryId} and session_key = ${session.sessionKey} for update`
    if (row === undefined) throw notFound('delivery', deliveryId)
    if (row.state === 'pending') return wireDelivery(row)
    if (row.state === 'withdrawn')
      throw new ApiError(
        'CONFLICT',
        'This delivery was withdrawn: its call was settled, or its webhook was deleted. It cannot be sent again.'
      )
    if (row.webhookId !== null && !(await webhookExists(tx, row.webhookId)))
      throw new ApiError(
        'CONFLICT',
        'The webhook of this delivery was deleted. Create a new webhook to receive events from now on.'
      )
    const [updated] = await tx.sql<DeliveryRow[]>`
      update deliveries set state = 'pending', next_at = null where id = ${deliveryId}
      returning ${deliveryColumns(tx.sql)}`
    if (updated === undefined) throw notFound('delivery', deliveryId)
    await enqueue(tx, 'deliver', { deliveryId }, { key: `deliver:${deliveryId}` })
    if (updated.kind !== 'webhook')
      append(tx, session, [{ type: 'delivery', delivery: wireDelivery(updated) }])
    if (updated.kind === 'message')
      await showOnMessage(tx, session, updated.messageId, () => ({ state: 'pending' }))
    return wireDelivery(updated)
  })
}

const webhookExists = async (tx: Ctx, webhookId: string): Promise<boolean> =>
  (await tx.sql`select id from webhooks where workspace_id = ${tx.workspaceId} and id = ${webhookId}`)
    .length > 0
