import { inTransaction } from '#db/transaction.ts'
import { type LockedSession, lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CallRow } from './call-row.ts'
import { expiredResult } from './declared-outcome.ts'
import { notifyCall, watchDeadline } from './open.ts'
import { type LockedCall, lockCall, settle, showCall } from './settle.ts'

/** Settles a due call with the outcome that it declared when it was opened. */
export async function settleExpired(ctx: Ctx, session: LockedSession, call: CallRow): Promise<CallRow> {
  const settled = await settle(ctx, session, call, {
    state: 'expired',
    result: expiredResult(call),
    answeredBy: 'the deadline',
    via: 'deadline'
  })
  return settled ?? call
}

type CallRef = { sessionKey: number; toolCallId: string }

/**
 * Runs the deadline job: settles the call if it is open and due. If the deadline has moved, schedules the job
 * again.
 */
export const runDeadlineJob = (ctx: Ctx, ref: CallRef): Promise<void> =>
  withOpenCall(ctx, ref, async (tx, session, call) => {
    if (call.isDue) await settleExpired(tx, session, call)
    else await watchDeadline(tx, session, call)
  })

/** Runs the warning job: shows the call again, so that clients and webhooks know that little time is left. */
export const warnOfDeadline = (ctx: Ctx, ref: CallRef): Promise<void> =>
  withOpenCall(ctx, ref, async (tx, session, call) => {
    if (call.warnedAt !== null) return
    await tx.sql`
      update calls set warned_at = ${session.now}::timestamptz
      where session_key = ${ref.sessionKey} and tool_call_id = ${ref.toolCallId}`
    await showCall(tx, session, { ...call, warnedAt: session.now })
    await notifyCall(tx, session, 'call.expiring', call)
  })

/** Locks the session and the call, and runs `work` if the call is still open. */
async function withOpenCall(
  ctx: Ctx,
  { sessionKey, toolCallId }: CallRef,
  work: (tx: Ctx, session: LockedSession, call: LockedCall) => Promise<void>
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const session = await lockSessionByKey(tx, sessionKey)
    const call = session && (await lockCall(tx, session, toolCallId))
    if (session !== undefined && call?.state === 'open') await work(tx, session, call)
  })
}

/** Settles calls that are more than a minute overdue, in case their jobs were lost. */
export async function settleOverdueCalls(ctx: Ctx): Promise<void> {
  const overdue = await ctx.sql<CallRef[]>`
    select session_key, tool_call_id from calls
    where state = 'open' and kind <> 'server' and deadline < clock_timestamp() - interval '1 minute'
    order by deadline limit 500`
  for (const call of overdue) await runDeadlineJob(ctx, call)
}
