import type { DeletedSubject, DeleteSubject } from '@waystation/protocol/workspace/subject.ts'
import { inTransaction } from '#db/transaction.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { purgeGeneration } from '#lib/sessions/purge-session.ts'
import { deletedUser, forgetName } from './anonymize.ts'

/** Sessions per request, each in its own transaction, so that a request takes a few seconds. */
const batch = 500

/**
 * Deletes an end user: first their tokens, so that they can send nothing more, then their sessions, as
 * `deleteSession` does. Their name is then removed from the sessions of others, which remain. Their spending
 * stays in the workspace's totals, without a name. Idempotent. If `remaining` is greater than 0, call it
 * again.
 */
export async function deleteSubject(ctx: Ctx, { subject }: DeleteSubject): Promise<DeletedSubject> {
  const { workspaceId: workspace } = ctx
  const { count: tokens } = await ctx.sql`
    delete from session_tokens where workspace_id = ${workspace} and subject = ${subject}`
  await deleteAccounts(ctx, subject)
  const ownKeys = await sessionsOf(ctx, subject)
  for (const { key } of ownKeys.slice(0, batch)) await removeSession(ctx, key, subject)
  const done = { subject, sessions: Math.min(ownKeys.length, batch), tokens, elsewhere: 0 }
  if (ownKeys.length >= batch) return { ...done, remaining: Math.max(1, ownKeys.length - batch) }

  const others = await namedIn(ctx, subject)
  for (const key of others.slice(0, batch)) await forgetIn(ctx, key, subject)
  // Rows of deleted sessions remain, so that their IDs can be used again. Older ones may still have the name.
  await ctx.sql`
    update sessions set subject = null
    where workspace_id = ${workspace} and subject = ${subject} and deleted_at is not null`
  await ctx.sql`
    update audit set actor = ${deletedUser.name}, credential = ${deletedUser.id}
    where workspace_id = ${workspace} and credential = ${`subject:${subject}`}`
  await ctx.sql`update spending set subject = null where workspace_id = ${workspace} and subject = ${subject}`
  await ctx.sql`
    delete from spend_grants where workspace_id = ${workspace} and scope = 'subject' and about = ${subject}`
  // A connection attempt from before the tokens ended may have stored an account since.
  await deleteAccounts(ctx, subject)
  // A sub-agent that started or reported meanwhile can have copied the name to another session.
  const remaining =
    others.length > batch
      ? others.length - batch
      : (await namedIn(ctx, subject)).length + (await sessionsOf(ctx, subject)).length
  return { ...done, elsewhere: Math.min(others.length, batch), remaining }
}

/** Deletes the end user's connections. Attempts go first, because one may be storing a connection at this moment. */
async function deleteAccounts({ sql, workspaceId }: Ctx, subject: string): Promise<void> {
  const id = `subject:${subject}`
  await sql`
    delete from connection_attempts where workspace_id = ${workspaceId} and ${id} in (begun_by_id, owner)`
  await sql`
    delete from connections
    where workspace_id = ${workspaceId} and (sharing = 'user' and owner = ${id} or sharing = 'session' and connected_by_id = ${id})`
}

const sessionsOf = ({ sql, workspaceId }: Ctx, subject: string) => sql<{ key: number }[]>`
  select key from sessions where workspace_id = ${workspaceId} and subject = ${subject} and deleted_at is null order by key`

/** Deletes the session unless another process has deleted it or changed its owner meanwhile. */
const removeSession = (ctx: Ctx, key: number, subject: string): Promise<void> =>
  inTransaction(ctx, async tx => {
    const session = await lockSessionByKey(tx, key)
    if (session === undefined) return
    const [owned] = await tx.sql`select from sessions where key = ${key} and subject = ${subject}`
    if (owned !== undefined) await purgeGeneration(tx, session, 'deleted')
  })

const forgetIn = (ctx: Ctx, key: number, subject: string): Promise<void> =>
  inTransaction(ctx, async tx => {
    const session = await lockSessionByKey(tx, key)
    if (session !== undefined) await forgetName(tx, session, subject)
  })

/**
 * Returns the sessions of others in which the end user sent, answered or declared something. No index
 * supports this: it scans the sessions of the workspace.
 */
async function namedIn({ sql, workspaceId }: Ctx, subject: string): Promise<number[]> {
  const id = `subject:${subject}`
  const named = sql`${[{ id }]}::jsonb`
  // Some columns have only a name. Users named like the placeholder cannot be distinguished from deleted users there.
  const byName = subject !== deletedUser.name
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
