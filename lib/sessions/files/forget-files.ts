import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Deletes the files whose message is neither in the conversation nor in the queue. Needs the session's lock. */
export async function deleteUnreferencedFiles(tx: Ctx, { sessionKey }: LockedSession): Promise<void> {
  await tx.sql`
    delete from files f where session_key = ${sessionKey} and message_id is not null and not exists (
      select from messages m where m.session_key = f.session_key and m.id = f.message_id)`
}

/**
 * Deletes files that were uploaded more than a day ago and never sent. It runs every minute and skips files that are
 * being sent.
 */
export async function deleteUnsentFiles(ctx: Ctx): Promise<void> {
  await ctx.sql`
    delete from files where (session_key, id) in (
      select session_key, id from files
      where message_id is null and created_at < clock_timestamp() - interval '1 day'
      order by created_at limit 500 for update skip locked)`
}
