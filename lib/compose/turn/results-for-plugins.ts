import { outcomeUnknown } from '#lib/engine/calls/claim.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { SettledCall } from '#lib/engine/turn/turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the results that plugins have not received yet and that the next model call receives: settled calls
 * of the newest step, and late answers after it. Results of tools that this server ran are excluded, because
 * plugins received them then. So are calls that plugins were never asked about.
 */
export const resultsForPlugins = (ctx: Ctx, { sessionKey }: Lease): Promise<SettledCall[]> =>
  ctx.sql<SettledCall[]>`
    with newest as (
      select id, payload -> 'untold' as untold from context
      where session_key = ${sessionKey} and kind = 'step' order by id desc limit 1
    ), settled as (
      select c.tool_call_id, false as late from calls c, newest
      where c.session_key = ${sessionKey} and c.context_id = newest.id and c.deferred_at is null and c.result is not null
        and not coalesce(newest.untold ? c.tool_call_id, false)
      union all
      select a.tool_call_id, true from context a, newest
      where a.session_key = ${sessionKey} and a.id > newest.id and a.kind = 'answer'
    )
    select c.tool_call_id, c.tool_name, coalesce(c.edited_input, c.input) as input, c.result, late
    from settled join calls c on c.session_key = ${sessionKey} and c.tool_call_id = settled.tool_call_id
    where c.ran_at is null or c.claimed_at is null or c.result ->> 'text' = ${outcomeUnknown}
    order by c.settled_at, c.tool_call_id`
