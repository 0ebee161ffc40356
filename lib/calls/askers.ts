import { json, type Sql } from '#db/client.ts'
import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { somebody } from '#lib/kernel/identity.ts'
import { newsOf } from '#lib/messages/news.ts'
import { newestAsking, sinceAsked } from '#lib/messages/since-asked.ts'
import type { Identity } from '#lib/protocol/answerers.ts'

/**
 * As a subquery, who asked for what the agent is working on: `sender`, and `at`, the place of their newest message in the
 * context, or 0. These are:
 *
 * - who sent the messages of the newest turn that had one, even if an answer began the present turn
 * - the authors of those messages, if somebody else ran them again (`also`)
 * - who sent the messages of a turn whose call was answered late
 * - who told the agent something out of band since; another agent is an asker without a person
 * - for an alarm or a program, everybody who has written in the session or told it something
 */
export const askersIn = (ctx: Ctx, { sessionKey }: Pick<Head, 'sessionKey'>) => ctx.sql`
  with said as (
    select said.sender, said.at from context c join messages m on m.session_key = c.session_key and m.id = c.message_id,
      lateral (select m.sender, c.id as at union all select jsonb_array_elements(m.sender -> 'also'), 0) said
    where c.session_key = ${sessionKey} and c.kind = 'user' and c.id >= (${sinceAsked(ctx, sessionKey)})
      and c.turn_id = (${newestAsking(ctx, sessionKey)})
    union all select coalesce(sender, ${otherAgent(ctx.sql)}), 0
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

/** As a subquery, the calls whose late answers the agent got since the last turn that was done (`lastRead`). */
const lateAnswers = (ctx: Ctx, sessionKey: number) => ctx.sql`
  select k.* from context a join calls k on k.session_key = a.session_key and k.tool_call_id = a.tool_call_id
  where a.session_key = ${sessionKey} and a.kind = 'answer' and a.id >= (${lastRead(ctx, sessionKey)})`

/**
 * As a subquery, the ID of the last context entry before that turn that is a step of a turn with the outcome `done`, or 0. The
 * agent may still be working on everything after it: late answers, and the requests of turns that parked, failed or were stopped.
 * Steps that a branch copied do not count, because answers may have arrived since.
 */
export const lastRead = (ctx: Ctx, sessionKey: number) => ctx.sql`
  select coalesce((
    select c.id from context c join turns t on t.id = c.turn_id and t.session_key = c.session_key
    where c.session_key = ${sessionKey} and c.kind = 'step' and t.outcome = 'done' and c.id < (${sinceAsked(ctx, sessionKey)})
    order by c.id desc limit 1), 0) as id`

/** As a condition, whether the agent received an answer late. Then anybody in the session may have asked for what it does next. */
export const isLate = (ctx: Ctx, sessionKey: number) => ctx.sql`
  exists (select from (${lateAnswers(ctx, sessionKey)}) late)`

/** Everybody whose words the agent of a session has ever got: they are in what it says. Nobody of the server's own. */
export const spokenIn = (ctx: Ctx, sessionKey: number) => ctx.sql<Identity[]>`
  select sender ->> 'id' as id, max(sender ->> 'name') as name from (${words(ctx, sessionKey)}) spoken
  where sender ->> 'id' not like 'system:%' group by 1 order by 1`

/**
 * As a subquery, everybody whose words the agent of a session has received since the context entry `from`: `sender`, and whether
 * those words are the description of a client's tool (`declared`). If turns were removed since then, it includes everybody whose
 * words the agent had received by that time.
 */
export const words = ({ sql }: Ctx, sessionKey: number, from = 0) => {
  const counts = sql`c.session_key = ${sessionKey} and c.id >= ${from}`
  return sql`
    select said.sender, false as declared from context c join messages m on m.session_key = c.session_key and m.id = c.message_id,
      lateral (select m.sender union all select jsonb_array_elements(m.sender -> 'also')) said
    where ${counts} and c.kind = 'user'
    union all select case when o.id is null then ${json(somebody)}::text::jsonb else coalesce(o.sender, ${otherAgent(sql)}) end, false
    from context c left join out_of_band o on o.id = c.payload ->> 'id' where ${counts} and c.kind = 'oob'
    union all select said, false from context c join calls k on k.session_key = c.session_key and k.context_id = c.id,
      jsonb_array_elements(k.said_by) said
    where ${counts} and c.kind = 'step'
    union all select c.payload -> 'sender', false from context c
    where ${counts} and c.kind = 'note' and c.payload ? 'sender'
    union all select jsonb_array_elements(c.declared_by), true from context c where ${counts} and c.id > ${from} and c.declared_by is not null
    union all select jsonb_array_elements(kept_askers -> 'who'), false from sessions
    where key = ${sessionKey} and (kept_askers -> 'until')::bigint >= ${from}`
}

/** As a column of `out_of_band`, the agent that sent a message, as an asker without a person. */
const otherAgent = (sql: Sql) =>
  sql`jsonb_build_object('id', 'session:' || from_key, 'name', 'another agent')`

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
