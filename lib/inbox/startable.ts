import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { atLimit } from './at-limit.ts'
import { lastWord } from './last-word.ts'

/**
 * Is there anything a worker could do for this session now? Asked under the head's lock by whoever puts something in
 * and by the owner before it lets go, so nothing put before the release is ever left lying (docs/concepts/engine.md#release). True for:
 *
 * - a call of ours that nobody has run yet (a server tool, or one that was approved), or that a dead worker claimed;
 * - a message (one that queues only when no turn is on the head), or a retry;
 * - a round that a plugin asked for, unless "continue?" is open or was refused;
 * - an answer to a deferred call, or the newest step's calls all settled (or never waited for: a sub-agent in the
 *   background) and not shown to the model yet, unless one of them is its last word; neither while
 *   "continue?" is open or was refused, and the latter not when the last turn failed on them (then "Retry now" or a
 *   message starts it);
 * - out-of-band input (`oob/drain.ts` says the same of a turn): a critical one; from `high` on where a turn is live or its
 *   newest step waits; any where a turn is live that does not wait; none while "continue?" is open or was refused;
 * - a "continue?" that was answered with yes, where a person's message waits behind it for the model;
 * - a step that was begun and not committed by the turn that is still on the head.
 */
export async function startable(ctx: Ctx, head: Head): Promise<boolean> {
  const [found] = await ctx.sql<{ work: boolean }[]>`
    with newest as (
      select id, kind, payload from context where session_key = ${head.sessionKey} order by id desc limit 1
    ), rests as (select ${atLimit(ctx, head)} as at_limit), waits as (
      select exists (
        select from calls c where c.session_key = ${head.sessionKey} and c.result is null and c.deferred_at is null
          and c.context_id = (select id from newest)
      ) as open, exists (select from turns where id = ${head.turnId} and retry_at is not null) as retrying
    )
    select
      exists (
        select from calls where session_key = ${head.sessionKey} and result is null and (
          (claimed_at is null and (state = 'approved' or (kind = 'server' and state = 'open')))
          or claimed_epoch < ${head.epoch})
      )
      or exists (select from inbox where session_key = ${head.sessionKey} and consumed_at is null
        and (kind = 'retry' or (kind = 'message' and (mode <> 'queue' or ${head.turnId === null}))))
      or not (select at_limit from rests) and exists (
        select from inbox where session_key = ${head.sessionKey} and consumed_at is null and kind = 'yield')
      or not (select at_limit from rests) and exists (
        select from inbox i, waits where i.session_key = ${head.sessionKey} and i.consumed_at is null and i.kind = 'oob'
          and i.payload ->> 'resting' = 'false' and (
            i.payload ->> 'priority' = 'critical'
            or i.payload ->> 'priority' = 'high' and (${head.turnId !== null} or waits.open)
            or ${head.turnId !== null} and not waits.open and not waits.retrying)
      )
      or not (select at_limit from rests) and exists (
        select from inbox i join calls c on c.session_key = i.session_key and c.tool_call_id = i.tool_call_id
        where i.session_key = ${head.sessionKey} and i.consumed_at is null and c.deferred_at is not null
      )
      or (
        ${head.status !== 'failed'} and not (select at_limit from rests)
        and exists (select from newest n join calls c on c.session_key = ${head.sessionKey} and c.context_id = n.id where n.kind = 'step')
        and not exists (select from newest where ${lastWord(ctx, head.sessionKey)})
        and not exists (
          select from calls c where c.session_key = ${head.sessionKey} and c.result is null and c.deferred_at is null
            and c.context_id = (select id from newest))
      )
      or (select kind from newest) <> 'step' and exists (
        select from inbox i join calls c on c.session_key = i.session_key and c.tool_call_id = i.tool_call_id
        where i.session_key = ${head.sessionKey} and i.consumed_at is null and c.kind = 'limit' and c.state = 'approved'
      )
      or exists (select from turns where id = ${head.turnId} and begun > committed) as work`
  return found?.work ?? false
}
