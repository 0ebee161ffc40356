import type { PendingQuery, Row } from 'postgres'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns an SQL condition: a "continue?" is open, or was declined and no step has taken in the answer.
 * Results and out-of-band messages then start no step. `sessionKey` is a value or a column of the enclosing
 * statement.
 */
export const atLimit = ({ sql }: Ctx, { sessionKey }: { sessionKey: number | PendingQuery<Row[]> }) => sql`(
  exists (select from calls where session_key = ${sessionKey} and result is null and kind = 'limit')
  or exists (
    select from inbox i join calls c on c.session_key = i.session_key and c.tool_call_id = i.tool_call_id
    where i.session_key = ${sessionKey} and i.consumed_at is null and c.kind = 'limit' and c.state <> 'approved'
  ))`
