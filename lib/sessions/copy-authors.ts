import type { Ctx } from '#lib/kernel/ctx.ts'

/** Adds all authors of one session to another session, whose agent receives text from the first one's agent. */
export async function copyAuthors({ sql }: Ctx, { from, to }: { from: number; to: number }): Promise<void> {
  // An agent's author ID is the key of its session. It must not become an author of its own session.
  await sql`
    insert into session_authors (session_key, id, name)
    select ${to}::bigint, id, name from session_authors
    where session_key = ${from} and id <> ${`session:${to}`}
    on conflict do nothing`
}
