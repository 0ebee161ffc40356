import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the statement that adds a step's cost to the session's spending of the day, by the database's
 * clock. A sub-agent's cost counts for the root session. A cost of 0 adds nothing. Run it inside the
 * statement that commits the step, with the session's lock.
 *
 * @param usd cost in US dollars
 */
export const charge = ({ sql }: Ctx, { sessionKey }: { sessionKey: number }, usd: number) => sql`
  insert into spending (workspace_id, session_key, day, generation, subject, usd)
  select s.workspace_id, h.session_key, (clock_timestamp() at time zone 'UTC')::date, h.generation, s.subject, ${usd}::float8
  from sessions s join heads h on h.session_key = coalesce(s.root_key, s.key)
  where s.key = ${sessionKey} and ${usd}::float8 > 0
  on conflict (workspace_id, session_key, day, generation) do update set usd = spending.usd + excluded.usd`

/** The cost of model calls: the tokens that the provider reported, and US dollars, partly estimated. */
export type Bill = { inputTokens: number; outputTokens: number; usd: number }

/**
 * Charges the live turn and the session's day for model calls outside of a committed step: a stopped or
 * failed step, or a summary. Requires the session's lock.
 */
export const chargeBill = (
  tx: Ctx,
  session: LockedSession,
  { inputTokens, outputTokens, usd }: Bill
) => tx.sql`
  with charged as (${charge(tx, session, usd)})
  update turns set input_tokens = input_tokens + ${inputTokens}, output_tokens = output_tokens + ${outputTokens},
    usd = usd + ${usd}, budget_usd = budget_usd + ${usd} where id = ${session.turnId}`
