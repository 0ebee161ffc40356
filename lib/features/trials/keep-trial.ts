import type { KeptTrial } from '@waystation/protocol/session/comparison.ts'
import type { InSession } from '@waystation/protocol/session/session-id.ts'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Turns a trial and its sub-agents into sessions that lists show and that stay. A trial on a configuration that was
 * published meanwhile is pinned to that revision, and follows the published one if it is the newest. Otherwise it keeps
 * its pin, also to a snapshot. For another session, it changes nothing.
 */
export async function keepTrial(ctx: Ctx, { sessionId }: InSession): Promise<KeptTrial> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    const [row] = await tx.sql<
      { trial: boolean; pin: number | null; equal: number | null; published: number }[]
    >`
      select s.trial, s.pinned_revision as pin, a.revision as published, (
        select max(n.revision) from agent_revisions p join agent_revisions n
          on n.workspace_id = p.workspace_id and n.agent_id = p.agent_id and n.revision > 0 and n.config = p.config
        where p.workspace_id = s.workspace_id and p.agent_id = s.agent_id and p.revision = s.pinned_revision
      ) as equal
      from sessions s left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id
      where s.key = ${session.sessionKey}`
    const pin = row?.pin ?? null
    if (!row?.trial) return { sessionId, pinnedRevision: pin }
    const kept = row.equal === row.published ? null : (row.equal ?? pin)
    await tx.sql`
      with recursive below as (
        select key from sessions where key = ${session.sessionKey}
        union all select s.key from sessions s join below b on s.parent_key = b.key
      )
      update sessions set trial = false,
        pinned_revision = case when key = ${session.sessionKey} then ${kept}::int else pinned_revision end
      where key in (select key from below)`
    if (kept !== pin) append(tx, session, [{ type: 'session', title: session.title, pinnedRevision: kept }])
    return { sessionId, pinnedRevision: kept }
  })
}
