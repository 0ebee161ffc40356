import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Notifies the parent session, if there is one, that a sub-agent's pending calls or status have changed. Uses
 * a job, because no transaction locks two sessions (docs/concepts/engine.md#transactions).
 */
export async function notifyParent(
  ctx: Ctx,
  { sessionKey, parentKey }: Pick<LockedSession, 'sessionKey' | 'parentKey'>
): Promise<void> {
  if (parentKey !== null) await enqueue(ctx, 'report', { sessionKey }, { key: `report:${sessionKey}` })
}
