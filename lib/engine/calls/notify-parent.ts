import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Of a sub-agent's session something has changed that the one above is told: what waits in it, or that it rests. By a job, since
 * no transaction locks two sessions (docs/concepts/engine.md#transactions).
 */
export async function notifyParent(
  ctx: Ctx,
  { sessionKey, parentKey }: Pick<LockedSession, 'sessionKey' | 'parentKey'>
): Promise<void> {
  if (parentKey !== null) await enqueue(ctx, 'report', { sessionKey }, { key: `report:${sessionKey}` })
}
