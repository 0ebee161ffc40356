import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newsOf } from '#lib/messages/news.ts'
import type { Identity } from '#lib/protocol/answerers.ts'

/**
 * As a subquery, who asked for what the agent is at work on: `sender`, and `at`, the place in the context of their newest
 * message, or 0. They sent the messages of the newest turn that had one, also when an answer began the present turn; or those of
 * the turn in which the agent made a call that was answered late, with them or since; or told the agent something out of band, with
 * them or since. An agent that told it something is an asker without a person. An alarm is set for somebody whom nobody knows. Then everybody counts who
 * has written in the session or told it something.
 */
export const askersIn = (ctx: Ctx, { sessionKey }: Pick<Head, 'sessionKey'>) => ctx.sql`
  with said as (
    select m.sender, c.id as at from context c join messages m on m.session_key = c.session_key and m.id = c.message_id
    where c.session_key = ${sessionKey} and c.kind = 'user' and c.turn_id = (${newestAsking(ctx, sessionKey)})
    union all select coalesce(sender, jsonb_build_object('id', 'session:' || from_key, 'name', 'another agent')), 0
    from (${newsOf(ctx, sessionKey)}) news where sender is not null or from_key is not null
    union all select m.sender, 0 from (${lateAnswers(ctx, sessionKey)}) late
    join context c on c.session_key = ${sessionKey} and c.kind = 'user' and c.turn_id = (
      select turn_id from context where session_key = ${sessionKey} and kind = 'user' and id < late.context_id
      order by id desc limit 1)
    join messages m on m.session_key = c.session_key and m.id = c.message_id
  ), alarm as (select exists (select from said where sender ->> 'id' like 'system:%') as rang)
  select sender, at from said
  union all select m.sender, 0 from messages m, alarm where m.session_key = ${sessionKey} and rang
  union all select o.sender, 0 from out_of_band o, alarm where o.session_key = ${sessionKey} and rang`

/** As a subquery, the newest turn that began with a message. */
const newestAsking = ({ sql }: Ctx, sessionKey: number) => sql`
  select turn_id from context where session_key = ${sessionKey} and kind = 'user' order by id desc limit 1`

/** As a subquery, the calls whose late answers the agent got in that turn or since. */
export const lateAnswers = (ctx: Ctx, sessionKey: number) => ctx.sql`
  select k.* from context a join calls k on k.session_key = a.session_key and k.tool_call_id = a.tool_call_id
  where a.session_key = ${sessionKey} and a.kind = 'answer' and a.id >= (${sinceAsked(ctx, sessionKey)})`

/** As a subquery, the first entry of that turn, or 0. */
export const sinceAsked = (ctx: Ctx, sessionKey: number) => ctx.sql`
  select coalesce(min(id), 0) from context
  where session_key = ${sessionKey} and turn_id = (${newestAsking(ctx, sessionKey)})`

/** The same by name. A sub-agent works for whoever has written in the sessions above it. */
export const askersOf = async (ctx: Ctx, head: Head): Promise<Identity[]> => ctx.sql<Identity[]>`
  with recursive above as (
    select parent_key as key from sessions where key = ${head.sessionKey} and parent_key is not null
    union all select s.parent_key from sessions s join above a on a.key = s.key where s.parent_key is not null
  ), asking as (
    select sender from (${askersIn(ctx, head)}) here
    union all select sender from messages where session_key in (select key from above)
  )
  select distinct sender ->> 'id' as id, sender ->> 'name' as name from asking
  where sender is not null and sender ->> 'id' not like 'system:%'
  order by name, id`
