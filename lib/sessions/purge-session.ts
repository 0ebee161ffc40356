import { dispatchCall } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * What a life of a session consists of. A test holds it against the tables that there are: what has a `session_key` and is
 * not here stays, and says why there.
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
 * Ends the life of a session: everything that was said, done and waiting in it is gone. What stays is its ID with whoever made
 * it and the agent it is bound to, so that it can be revived empty. `seq` never restarts and the generation moves on: an old
 * cursor, link, token or worker meets a wall (docs/concepts/engine.md#generations). Who follows it is told within a second. The head is locked.
 *
 * @param because an expired session answers `410` from now on, a deleted one `404`
 */
export async function purgeGeneration(
  tx: Ctx,
  { sessionKey: key, workspaceId }: LockedSession,
  because: 'deleted' | 'expired'
): Promise<void> {
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
      pinned_revision = null, overlay = null, handed_to = null, handed = null, reports = false, branched_from = null, branched_at = null
    from moved where key = ${key}
    returning parent_key, parent_call_id,
      exists (select from sessions c where c.parent_key = ${key}) as has_children`
  for (const table of tables) await tx.sql`delete from ${tx.sql(table)} where session_key = ${key}`
  await tx.sql`
    delete from connections where workspace_id = ${workspaceId} and sharing = 'session' and owner like ${`session:${key}:%`}`
  const { parentKey = null, parentCallId = null, hasChildren = false } = ended ?? {}
  // Its call above is told that it will not be done, and nothing goes on working for what is gone.
  if (parentKey !== null && parentCallId !== null)
    await dispatchCall(tx, { sessionKey: parentKey }, { kind: 'agent', toolCallId: parentCallId })
  if (hasChildren) await enqueue(tx, 'orphans', { sessionKey: key }, { key: `orphans:${key}` })
  tx.afterCommit(() => tx.ports.notify(key))
}
