import { iso, type Sql } from '#db/client.ts'
import { cutAddress } from '#lib/protocol/cut-address.ts'
import type { Delivery, DeliveryAttempt } from '#lib/protocol/delivery.ts'

/** A delivery as it is stored, without its body. */
export type DeliveryRow = {
  id: string
  sessionKey: number
  toolCallId: string | null
  messageId: string | null
  webhookId: string | null
  kind: Delivery['kind']
  event: string | null
  url: string
  state: Delivery['state']
  retries: number
  attempts: DeliveryAttempt[]
  createdAt: string
  nextAt: string | null
}

/** The columns of a DeliveryRow, for a `select` or a `returning`. */
export const deliveryColumns = (sql: Sql) => sql`
  id, session_key as "sessionKey", tool_call_id as "toolCallId", message_id as "messageId",
  webhook_id as "webhookId", kind, case when kind = 'webhook' then body ->> 'type' end as event, url, state, retries, attempts,
  created_at as "createdAt", next_at as "nextAt"`

/** A delivery as every client sees it. */
export function wireDelivery(row: DeliveryRow): Delivery {
  const { sessionKey: _, toolCallId, messageId, webhookId, event, url, createdAt, nextAt, ...rest } = row
  return {
    ...rest,
    ...(toolCallId === null ? {} : { toolCallId }),
    ...(messageId === null ? {} : { messageId }),
    ...(webhookId === null ? {} : { webhookId }),
    ...(event === null ? {} : { event }),
    to: cutAddress(url),
    createdAt: iso(createdAt),
    ...(row.state !== 'pending' || nextAt === null ? {} : { nextAt: iso(nextAt) })
  }
}
