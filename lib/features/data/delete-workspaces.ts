import { inTransaction } from '#db/transaction.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { purgeGeneration } from '#lib/sessions/purge-session.ts'

/** Sessions per workspace and run, each in its own transaction. They take about a minute. */
const batch = 500

/** The tables of a workspace whose rows are not deleted with its own row. */
const tables = [
  'agent_revisions',
  'audit',
  'deliveries',
  'session_tokens',
  'plugin_streams',
  'plugin_requests'
]

/**
 * Deletes what deleted workspaces still have: first their sessions, then everything else. Runs every minute. Sessions
 * end as in `deleteSession`, so running turns stop.
 */
export async function deleteWorkspaces(ctx: Ctx): Promise<void> {
  const deleted = await ctx.sql<{ id: string }[]>`
    select id from workspaces where deleted_at is not null order by deleted_at`
  for (const { id } of deleted) {
    const sessions = await ctx.sql<{ key: number }[]>`
      select key from sessions where workspace_id = ${id} and deleted_at is null limit ${batch}`
    for (const { key } of sessions)
      await inTransaction(ctx, async tx => {
        const session = await lockSessionByKey(tx, key)
        if (session !== undefined) await purgeGeneration(tx, session, 'deleted')
      })
    if (sessions.length < batch) await deleteRest(ctx, id)
  }
}

/** Waits for the next run if a request created a session meanwhile. */
const deleteRest = (ctx: Ctx, id: string) =>
  inTransaction(ctx, async ({ sql }) => {
    await sql`select from workspaces where id = ${id} for update`
    const [session] =
      await sql`select from sessions where workspace_id = ${id} and deleted_at is null limit 1`
    if (session !== undefined) return
    await sql`delete from workspaces where id = ${id}`
    for (const table of tables) await sql`delete from ${sql(table)} where workspace_id = ${id}`
  })
