import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns a subquery of the ID of the newest turn with a user message. */
export const newestInputTurn = ({ sql }: Pick<Ctx, 'sql'>, sessionKey: number) => sql`
  select turn_id from context where session_key = ${sessionKey} and kind = 'user' order by id desc limit 1`

/**
 * Returns a subquery of the context ID at which that turn's entries start. A turn's entries are consecutive,
 * so the query searches backward from the newest user message and reads nothing older than the turn.
 */
export const newestInputStart = ({ sql }: Pick<Ctx, 'sql'>, sessionKey: number) => sql`
  select coalesce((
    select before.id + 1 from (
      select id, turn_id from context where session_key = ${sessionKey} and kind = 'user' order by id desc limit 1
    ) newest, lateral (
      select c.id from context c where c.session_key = ${sessionKey} and c.id < newest.id and c.turn_id <> newest.turn_id
      order by c.id desc limit 1
    ) before), 0)`
