import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import { serverSenders } from '@waystation/protocol/session/server-senders.ts'
import type { Sql } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Adds identities to the session's authors: all people and agents whose text its agent has ever received.
 * Authors are never removed, because the agent can repeat their text later. The server is not an author: the
 * person who had an alarm set already is, and its other messages contain no text of a person. Call this wherever text reaches the agent. Requires the
 * session's lock.
 */
export async function addAuthors(
  { sql }: Ctx,
  sessionKey: number,
  identities: readonly Identity[]
): Promise<void> {
  const authors = identities.filter(({ id }) => !serverSenders.includes(id))
  if (authors.length === 0) return
  await sql`
    insert into session_authors (session_key, id, name)
    select distinct on (id) ${sessionKey}::bigint, id, name
    from json_to_recordset(${authors}::json) as who(id text, name text)
    on conflict do nothing`
}

/** Adds the senders of these out-of-band messages to the session's authors. */
export async function addOobAuthors(
  { sql }: Ctx,
  sessionKey: number,
  messages: readonly { id: string }[]
): Promise<void> {
  if (messages.length === 0) return
  await sql`
    insert into session_authors (session_key, id, name)
    select session_key, author ->> 'id', author ->> 'name' from out_of_band, lateral (select ${oobAuthor(sql)} as author) a
    where session_key = ${sessionKey} and id = any(${messages.map(({ id }) => id)}) and author is not null
    on conflict do nothing`
}

/**
 * Returns the sender as a column of `out_of_band`: a named sender, or else the agent of another session, or
 * else null.
 */
export const oobAuthor = (sql: Sql) => sql`
  coalesce(sender, case when from_key is not null
    then jsonb_build_object('id', 'session:' || from_key, 'name', 'another agent') end)`
