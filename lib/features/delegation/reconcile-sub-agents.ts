import { inTransaction } from '#db/transaction.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { purgeGeneration } from '#lib/sessions/purge-session.ts'
import { reconcileSubAgent } from './reconcile-sub-agent.ts'
import { hasEnded, reportToParent } from './report-to-parent.ts'

/**
 * Deletes the sub-agent sessions of earlier generations of this session. Their own sub-agents are deleted in
 * the same way.
 */
export async function deleteOrphans(ctx: Ctx, { sessionKey }: { sessionKey: number }): Promise<void> {
  const orphans = await ctx.sql<{ key: number }[]>`
    select s.key from sessions s join heads p on p.session_key = s.parent_key
    where s.parent_key = ${sessionKey} and s.parent_generation < p.generation and s.deleted_at is null`
  for (const { key } of orphans)
    await inTransaction(ctx, async tx => {
      const session = await lockSessionByKey(tx, key)
      if (session !== undefined) await purgeGeneration(tx, session, 'deleted')
    })
}

/** Repairs sub-agents whose job was lost: handles what has been due for a minute. */
export async function reconcileSubAgents(ctx: Ctx): Promise<void> {
  const calls = await ctx.sql<{ sessionKey: number; toolCallId: string }[]>`
    select c.session_key, c.tool_call_id from calls c
    where c.kind = 'agent' and c.state = 'open' and c.since < clock_timestamp() - interval '1 minute'
      and not exists (
        select from sessions s where s.parent_key = c.session_key and s.parent_generation = c.generation
          and s.parent_call_id = c.tool_call_id and s.deleted_at is null)
    union all
    select c.session_key, c.tool_call_id from sessions s
    join calls c on c.session_key = s.parent_key and c.generation = s.parent_generation and c.tool_call_id = s.parent_call_id
    where s.reports and c.state <> 'open' and c.settled_at < clock_timestamp() - interval '1 minute'
    limit 500`
  for (const call of calls) await reconcileSubAgent(ctx, call)
  const unreported = await ctx.sql<{ sessionKey: number }[]>`
    select s.key as session_key from sessions s join heads h on h.session_key = s.key
    where s.reports and ${hasEnded(ctx)} and s.active_at < clock_timestamp() - interval '1 minute' limit 500`
  for (const child of unreported) await reportToParent(ctx, child)
  const parents = await ctx.sql<{ sessionKey: number }[]>`
    select distinct s.parent_key as session_key from sessions s join heads p on p.session_key = s.parent_key
    where s.root_key is not null and s.deleted_at is null and s.parent_generation < p.generation limit 500`
  for (const parent of parents) await deleteOrphans(ctx, parent)
}
