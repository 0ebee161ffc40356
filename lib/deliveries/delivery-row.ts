import type { Delivery, DeliveryAttempt } from '@waystation/protocol/external-agent/delivery.ts'
import { maskUrl } from '@waystation/protocol/external-agent/mask-url.ts'
import type { Sql } from '#db/client.ts'

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

/** Selects the columns of a `DeliveryRow`, for a `select` or a `returning`. */
export const deliveryColumns = (sql: Sql) => sql`
  id, session_key, tool_call_id, message_id,
  webhook_id, kind, case when kind = 'webhook' then body ->> 'type' end as event, url, state, retries, attempts,
  created_at, next_at`

/** Converts a delivery's row to its public form. It shortens the URL, which can contain credentials. */
export function wireDelivery(row: DeliveryRow): Delivery {
  const { sessionKey: _, toolCallId, messageId, webhookId, event, url, createdAt, nextAt, ...rest } = row
  return {
    ...rest,
    ...(toolCallId === null ? {} : { toolCallId }),
    ...(messageId === null ? {} : { messageId }),
    ...(webhookId === null ? {} : { webhookId }),
    ...(event === null ? {} : { event }),
    to: maskUrl(url),
    createdAt,
    ...(row.state !== 'pending' || nextAt === null ? {} : { nextAt })
  }
}
