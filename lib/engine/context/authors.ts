import type { Sql } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Identity } from '#lib/protocol/call/answerers.ts'
import { alarmSender } from '#lib/protocol/session/alarm.ts'

/**
 * Adds these to the authors of a session: everybody whose words its agent has ever received. Nobody is taken out again, because
 * later words of the agent can repeat theirs. An alarm is no author: whoever had it set is one already. Call this where words
 * reach the agent, with the head locked.
 */
export async function addAuthors({ sql }: Ctx, sessionKey: number, who: readonly Identity[]): Promise<void> {
  const authors = who.filter(({ id }) => id !== `system:${alarmSender}`)
  if (authors.length === 0) return
  await sql`
    insert into session_authors (session_key, id, name)
    select distinct on (id) ${sessionKey}::bigint, id, name
    from json_to_recordset(${authors}::json) as who(id text, name text)
    on conflict do nothing`
}

/** Adds all authors of one session to another one, whose agent receives what the first one's agent has said. */
export async function copyAuthors({ sql }: Ctx, { from, to }: { from: number; to: number }): Promise<void> {
  // As an author, an agent is known by the key of its session. It is no other agent in its own session.
  await sql`
    insert into session_authors (session_key, id, name)
    select ${to}::bigint, id, name from session_authors
    where session_key = ${from} and id <> ${`session:${to}`}
    on conflict do nothing`
}

/** Adds those who sent these out-of-band messages. */
export async function addOobAuthors(
  { sql }: Ctx,
  sessionKey: number,
  told: readonly { id: string }[]
): Promise<void> {
  if (told.length === 0) return
  await sql`
    insert into session_authors (session_key, id, name)
    select session_key, author ->> 'id', author ->> 'name' from out_of_band, lateral (select ${oobAuthor(sql)} as author) a
    where session_key = ${sessionKey} and id = any(${told.map(({ id }) => id)}) and author is not null
    on conflict do nothing`
}

/** As a column of `out_of_band`, its sender: who is known by name, else the agent of another session, else null. */
export const oobAuthor = (sql: Sql) => sql`
  coalesce(sender, case when from_key is not null
    then jsonb_build_object('id', 'session:' || from_key, 'name', 'another agent') end)`
