import type { Ctx } from '#lib/kernel/ctx.ts'

/** Adds all authors of other sessions to a session, whose agent receives text from their agents. */
export async function copyAuthors(
  { sql }: Ctx,
  { from, to }: { from: readonly number[]; to: number }
): Promise<void> {
  // An agent's author ID is the key of its session. It must not become an author of its own session.
  await sql`
    insert into session_authors (session_key, id, name)
    select distinct on (id) ${to}::bigint, id, name from session_authors
    where session_key = any(${[...from]}) and id <> ${`session:${to}`}
    on conflict do nothing`
}
