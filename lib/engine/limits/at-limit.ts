import type { PendingQuery, Row } from 'postgres'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * As an SQL condition: a "continue?" is open, or was refused and not seen yet. Then neither results nor out-of-band input
 * start a step. `sessionKey`: its value, or the column of the statement around it that has it.
 */
export const atLimit = ({ sql }: Ctx, { sessionKey }: { sessionKey: number | PendingQuery<Row[]> }) => sql`(
  exists (select from calls where session_key = ${sessionKey} and result is null and kind = 'limit')
  or exists (
    select from inbox i join calls c on c.session_key = i.session_key and c.tool_call_id = i.tool_call_id
    where i.session_key = ${sessionKey} and i.consumed_at is null and c.kind = 'limit' and c.state <> 'approved'
  ))`
