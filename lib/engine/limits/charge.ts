import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * The statement that adds what a step has cost to the session's day, by the database's clock; nothing for what costs
 * nothing; what a sub-agent costs, to the day of the session at the top. It stands inside the statement that commits the step,
 * under the lock of the session's head.
 *
 * @param usd US dollars, as turns count them
 */
export const charge = ({ sql }: Ctx, { sessionKey }: { sessionKey: number }, usd: number) => sql`
  insert into spending (workspace_id, session_key, day, generation, subject, usd)
  select s.workspace_id, h.session_key, (clock_timestamp() at time zone 'UTC')::date, h.generation, s.subject, ${usd}::float8
  from sessions s join heads h on h.session_key = coalesce(s.root_key, s.key)
  where s.key = ${sessionKey} and ${usd}::float8 > 0
  on conflict (workspace_id, session_key, day, generation) do update set usd = spending.usd + excluded.usd`
