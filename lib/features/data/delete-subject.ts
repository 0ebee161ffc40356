import { inTransaction } from '#db/transaction.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { DeletedSubject, DeleteSubject } from '#lib/protocol/workspace/subject.ts'
import { purgeGeneration } from '#lib/sessions/purge-session.ts'
import { forgetName, nobody } from './forget-name.ts'

/** Sessions per request, each in a transaction of its own: a matter of seconds. */
const batch = 500

/**
 * Deletes an end user: first their tokens, so that nothing of them comes in any more; then the sessions that are theirs, as
 * `deleteSession` does; then their name where they spoke, answered or told something in sessions of others, which stay.
 * What was spent stays in the workspace's sums, without a name. Whoever was deleted is deleted again with nothing to do.
 */
export async function deleteSubject(ctx: Ctx, { subject }: DeleteSubject): Promise<DeletedSubject> {
  const { workspaceId: workspace } = ctx
  const { count: tokens } = await ctx.sql`
    delete from session_tokens where workspace_id = ${workspace} and subject = ${subject}`
  await deleteAccounts(ctx, subject)
  const own = await ownOf(ctx, subject)
  for (const { key } of own.slice(0, batch)) await removeTheirs(ctx, key, subject)
  const done = { subject, sessions: Math.min(own.length, batch), tokens, elsewhere: 0 }
  if (own.length >= batch) return { ...done, remaining: Math.max(1, own.length - batch) }

  const others = await namedIn(ctx, subject)
  for (const key of others.slice(0, batch)) await forgetIn(ctx, key, subject)
  // Of sessions that were deleted before there was this: their rows stay, so that their IDs can be revived.
  await ctx.sql`
    update sessions set subject = null
    where workspace_id = ${workspace} and subject = ${subject} and deleted_at is not null`
  await ctx.sql`
    update audit set actor = ${nobody.name}, credential = ${nobody.id}
    where workspace_id = ${workspace} and credential = ${`subject:${subject}`}`
  await ctx.sql`update spending set subject = null where workspace_id = ${workspace} and subject = ${subject}`
  await ctx.sql`
    delete from spend_grants where workspace_id = ${workspace} and scope = 'subject' and about = ${subject}`
  // What began before the tokens ended may have gone on.
  await deleteAccounts(ctx, subject)
  // A sub-agent that began or reported meanwhile can have brought their name to another session.
  const left =
    others.length > batch
      ? others.length - batch
      : (await namedIn(ctx, subject)).length + (await ownOf(ctx, subject)).length
  return { ...done, elsewhere: Math.min(others.length, batch), remaining: left }
}

/** Their accounts, and before those what is under way: it may be storing one at this moment. */
async function deleteAccounts({ sql, workspaceId }: Ctx, subject: string): Promise<void> {
  const id = `subject:${subject}`
  await sql`
    delete from connection_attempts where workspace_id = ${workspaceId} and ${id} in (begun_by_id, owner)`
  await sql`
    delete from connections
    where workspace_id = ${workspaceId} and (sharing = 'user' and owner = ${id} or sharing = 'session' and connected_by_id = ${id})`
}

const ownOf = ({ sql, workspaceId }: Ctx, subject: string) => sql<{ key: number }[]>`
  select key from sessions where workspace_id = ${workspaceId} and subject = ${subject} and deleted_at is null order by key`

/** Another process may have deleted it meanwhile, or made it somebody else's. */
const removeTheirs = (ctx: Ctx, key: number, subject: string): Promise<void> =>
  inTransaction(ctx, async tx => {
    const head = await lockSessionByKey(tx, key)
    if (head === undefined) return
    const [theirs] = await tx.sql`select from sessions where key = ${key} and subject = ${subject}`
    if (theirs !== undefined) await purgeGeneration(tx, head, 'deleted')
  })

const forgetIn = (ctx: Ctx, key: number, subject: string): Promise<void> =>
  inTransaction(ctx, async tx => {
    const head = await lockSessionByKey(tx, key)
    if (head !== undefined) await forgetName(tx, head, subject)
  })

/** The sessions in which they said, answered, told or declared something. No index knows: it reads what the workspace has. */
async function namedIn({ sql, workspaceId }: Ctx, subject: string): Promise<number[]> {
  const id = `subject:${subject}`
  const named = sql`${[{ id }]}::jsonb`
  // Where only a name stands, an end user with the name of those who were deleted cannot be told from them.
  const byName = subject !== nobody.name
  const rows = await sql<{ key: number }[]>`
    select s.key from sessions s where s.workspace_id = ${workspaceId} and s.deleted_at is null and (
      exists (select from session_authors a where a.session_key = s.key and a.id = ${id})
      or exists (select from messages m where m.session_key = s.key and m.sender ->> 'id' = ${id})
      or exists (select from files f
        where f.session_key = s.key and f.created_by ->> 'id' = ${id})
      or exists (select from calls c
        where c.session_key = s.key and (${byName} and c.via in ('token', 'message') and c.answered_by = ${subject}
          or c.answerer ->> 'id' = ${id} or c.answerers -> 'askers' @> ${named}))
      or exists (select from out_of_band o
        where o.session_key = s.key and ${byName} and o.source = 'user' and o.source_id = ${subject}))
    order by s.key`
  return rows.map(({ key }) => key)
}
