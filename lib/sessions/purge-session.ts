import { dispatchCall } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * The tables with the content of a generation. A test compares this list with the tables that have a `session_key`, and
 * documents why the others are kept.
 */
const tables = [
  'calls',
  'alarms',
  'grants',
  'inbox',
  'events',
  'messages',
  'context',
  'session_authors',
  'session_reads',
  'files',
  'compactions',
  'prompts',
  'prompt_parts',
  'turns',
  'receipts',
  'deliveries',
  'out_of_band',
  'session_tokens',
  'connection_attempts',
  'connection_uses'
]

/**
 * Ends a session's generation and deletes all its content. Only its ID, its creator and its agent remain, so that it
 * can be revived empty. `seq` continues and the generation increases, so old cursors, links, tokens and workers are
 * refused (docs/concepts/engine.md#generations). Followers receive a `reset` within a second. Needs the session's lock.
 *
 * @param because an expired session returns `410` from now on, and a deleted one `404`
 */
export async function purgeGeneration(
  tx: Ctx,
  { sessionKey: key, workspaceId }: LockedSession,
  because: 'deleted' | 'expired'
): Promise<void> {
  // The earlier changes of this transaction belong to the generation that ends.
  await tx.flush()
  const [ended] = await tx.sql<
    { parentKey: number | null; parentCallId: string | null; hasChildren: boolean }[]
  >`
    with moved as (
      update heads set seq = seq + 1, generation = generation + 1, epoch = epoch + 1, owner = null, has_work = 0, turn_id = null,
        cancel_requested = null where session_key = ${key} returning seq, clock_timestamp() as at
    )
    update sessions set deleted_at = moved.at, expired_at = case when ${because === 'expired'} then moved.at end,
      floor = moved.seq, status = 'idle', subject = null, title = '', snippet = '', error = null, retry_at = null,
      summary = '', context_start = 0, oob_start = 0, context_tokens = 0, client_tools = '[]', oob_policy = '{}',
      pinned_revision = null, trial = false, overlay = null, handed_to = null, handed = null, reports = false, branched_from = null, branched_at = null,
      agent_status = null, agent_status_until = null
    from moved where key = ${key}
    returning parent_key, parent_call_id,
      exists (select from sessions c where c.parent_key = ${key}) as has_children`
  for (const table of tables) await tx.sql`delete from ${tx.sql(table)} where session_key = ${key}`
  await tx.sql`
    delete from connections where workspace_id = ${workspaceId} and sharing = 'session' and owner like ${`session:${key}:%`}`
  const { parentKey = null, parentCallId = null, hasChildren = false } = ended ?? {}
  // Settle the parent's call, and stop the sub-agents of this session.
  if (parentKey !== null && parentCallId !== null)
    await dispatchCall(tx, { sessionKey: parentKey }, { kind: 'agent', toolCallId: parentCallId })
  if (hasChildren) await enqueue(tx, 'orphans', { sessionKey: key }, { key: `orphans:${key}` })
  tx.afterCommit(() => tx.ports.notify(key))
}
