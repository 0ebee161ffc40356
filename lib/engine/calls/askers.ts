import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import { oobAuthor } from '#lib/engine/context/authors.ts'
import { newestInputStart, newestInputTurn } from '#lib/engine/context/newest-input.ts'
import { recentOutOfBand } from '#lib/engine/context/recent-out-of-band.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns a subquery with the columns `id` and `name` of the people who asked for the agent's current work:
 *
 * - the senders of the messages in the newest turn that had one, even if an answer started the present turn
 * - the original authors of those messages, if another person ran them again (`also`)
 * - the senders of the messages of an earlier turn whose call was answered since
 * - the senders of out-of-band messages since then. Another agent is included, but without a person
 * - if an alarm or a program of the server asked: all authors whose text the agent has ever received
 */
export const askersIn = (ctx: Ctx, { sessionKey }: Pick<LockedSession, 'sessionKey'>) => ctx.sql`
  with sent as (
    select m.sender from context c join messages m on m.session_key = c.session_key and m.id = c.message_id
    where c.session_key = ${sessionKey} and c.kind = 'user' and c.id >= (${newestInputStart(ctx, sessionKey)})
      and c.turn_id = (${newestInputTurn(ctx, sessionKey)})
    union all select m.sender from context a
      join calls k on k.session_key = a.session_key and k.tool_call_id = a.tool_call_id
      join context c on c.session_key = a.session_key and c.kind = 'user' and c.turn_id = (
        select turn_id from context where session_key = ${sessionKey} and kind = 'user' and id < k.context_id
        order by id desc limit 1)
      join messages m on m.session_key = c.session_key and m.id = c.message_id
    where a.session_key = ${sessionKey} and a.kind = 'answer' and a.id >= (${newestInputStart(ctx, sessionKey)})
  ), asked as (
    select sender from sent
    union all select jsonb_array_elements(sender -> 'also') from sent
    union all select ${oobAuthor(ctx.sql)} from (${recentOutOfBand(ctx, sessionKey)}) news
  )
  select sender ->> 'id' as id, sender ->> 'name' as name from asked
  where sender ->> 'id' is not null and sender ->> 'id' not like 'system:%'
  union all select id, name from session_authors
    where session_key = ${sessionKey} and exists (select from asked where sender ->> 'id' like 'system:%')`

/** Returns the askers, ordered by name. A sub-agent works for all senders in the sessions above it. */
export const askersOf = async (ctx: Ctx, session: LockedSession): Promise<Identity[]> => ctx.sql<Identity[]>`
  with recursive above as (
    select parent_key as key from sessions where key = ${session.sessionKey} and parent_key is not null
    union all select s.parent_key from sessions s join above a on a.key = s.key where s.parent_key is not null
  ), asking as (
    select id, name from (${askersIn(ctx, session)}) here
    union all select sender ->> 'id', sender ->> 'name' from messages where session_key in (select key from above)
  )
  select distinct id, name from asking where id is not null and id not like 'system:%' order by name, id`
