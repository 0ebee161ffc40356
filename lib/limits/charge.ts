import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * The statement that adds what a step has cost to the session's day, by the database's clock; nothing for what costs
 * nothing. It stands inside the statement that commits the step, under the lock of the session's head.
 *
 * @param usd US dollars, as turns count them
 */
export const charge = ({ sql }: Ctx, life: { sessionKey: number; generation: number }, usd: number) => sql`
  insert into spending (workspace_id, session_key, day, generation, subject, usd)
  select workspace_id, key, (clock_timestamp() at time zone 'UTC')::date, ${life.generation}, subject, ${usd}::float8
  from sessions where key = ${life.sessionKey} and ${usd}::float8 > 0
  on conflict (workspace_id, session_key, day, generation) do update set usd = spending.usd + excluded.usd`
