import type { DeliveryPage, ListDeliveries } from '@waystation/protocol/external-agent/delivery.ts'
import { maskUrlSecrets } from '@waystation/protocol/external-agent/mask-url.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { readCursor, writeCursor } from '#lib/kernel/cursor.ts'
import { type DeliveryRow, deliveryColumns, wireDelivery } from './delivery-row.ts'

const pageSize = 100

/**
 * Lists the workspace's deliveries with all their attempts, newest first. `state` filters them, for example to list
 * failed ones. The caller can edit agents. `cursor` continues after the previous page.
 */
export async function listAllDeliveries(ctx: Ctx, { state, cursor }: ListDeliveries): Promise<DeliveryPage> {
  const after = cursor === undefined ? null : readCursor(cursor)
  const rows = await ctx.sql<
    (DeliveryRow & { sessionId: string; title: string; toolName: string | null; cursorAt: string })[]
  >`
    select d.*, s.id as session_id, s.title, d.created_at::text as cursor_at from (
      select ${deliveryColumns(ctx.sql)},
        case when kind = 'call.opened' then body ->> 'toolName' end as tool_name from deliveries
      where workspace_id = ${ctx.workspaceId} and (${state ?? null}::text is null or state = ${state ?? null})
        and (${after?.at ?? null}::timestamptz is null or (created_at, id)
          < (${after?.at ?? null}::timestamptz, ${after?.rest ?? null}::text))
      order by created_at desc, id desc limit ${pageSize + 1}
    ) d join sessions s on s.key = d.session_key order by d.created_at desc, d.id desc`
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    deliveries: page.map(({ sessionId, title, toolName, cursorAt: _, ...row }) => ({
      ...wireDelivery(row),
      // Editors can read the URLs of agents and tools, but not those of webhooks.
      ...(row.kind === 'webhook' ? {} : { to: maskUrlSecrets(row.url) }),
      ...(toolName === null ? {} : { toolName }),
      sessionId,
      title
    })),
    nextCursor: rows.length > pageSize && last !== undefined ? writeCursor(last.cursorAt, 0, last.id) : null
  }
}
