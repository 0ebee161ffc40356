import type { Ctx } from '#lib/kernel/ctx.ts'

/** As a subquery, the newest turn that had a message. */
export const newestAsking = ({ sql }: Pick<Ctx, 'sql'>, sessionKey: number) => sql`
  select turn_id from context where session_key = ${sessionKey} and kind = 'user' order by id desc limit 1`

/**
 * As a subquery, the place in the context from which on that turn's entries stand. They follow each other, so it looks back from
 * the newest message to the turn before, and reads nothing older.
 */
export const sinceAsked = ({ sql }: Pick<Ctx, 'sql'>, sessionKey: number) => sql`
  select coalesce((
    select before.id + 1 from (
      select id, turn_id from context where session_key = ${sessionKey} and kind = 'user' order by id desc limit 1
    ) newest, lateral (
      select c.id from context c where c.session_key = ${sessionKey} and c.id < newest.id and c.turn_id <> newest.turn_id
      order by c.id desc limit 1
    ) before), 0)`
