import { inTransaction } from '#db/transaction.ts'
import { type LockedSession, lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CallRow } from './call-row.ts'
import { expiredResult } from './declared-outcome.ts'
import { notifyCall, watchDeadline } from './open.ts'
import { lockCall, settle, showCall } from './settle.ts'

/** Settles a call whose deadline is reached as the outcome it declared when it was opened. */
export async function settleExpired(ctx: Ctx, head: LockedSession, call: CallRow): Promise<CallRow> {
  const settled = await settle(ctx, head, call, {
    state: 'expired',
    result: expiredResult(call),
    answeredBy: 'the deadline',
    via: 'deadline'
  })
  return settled ?? call
}

/** What the deadline's job does: looks, and settles only what is open and due. A deadline that moved rings again. */
export async function meetDeadline(
  ctx: Ctx,
  { sessionKey, toolCallId }: { sessionKey: number; toolCallId: string }
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockSessionByKey(tx, sessionKey)
    const call = head && (await lockCall(tx, head, toolCallId))
    if (head === undefined || call === undefined || call.state !== 'open') return
    if (call.isDue) await settleExpired(tx, head, call)
    else await watchDeadline(tx, head, call)
  })
}

/** What the warning's job does: shows the call once more, so that who follows it sees that time is short. */
export async function warnOfDeadline(
  ctx: Ctx,
  { sessionKey, toolCallId }: { sessionKey: number; toolCallId: string }
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockSessionByKey(tx, sessionKey)
    const call = head && (await lockCall(tx, head, toolCallId))
    if (head === undefined || call === undefined || call.state !== 'open' || call.warnedAt !== null) return
    await tx.sql`
      update calls set warned_at = ${head.now}::timestamptz where session_key = ${sessionKey} and tool_call_id = ${toolCallId}`
    await showCall(tx, head, { ...call, warnedAt: head.now })
    await notifyCall(tx, head, 'call.expiring', call)
  })
}

/** The net under the deadlines' jobs: meets those that are late by a minute, in case a job was lost. */
export async function meetLateDeadlines(ctx: Ctx): Promise<void> {
  const late = await ctx.sql<{ sessionKey: number; toolCallId: string }[]>`
    select session_key, tool_call_id from calls
    where state = 'open' and kind <> 'server' and deadline < clock_timestamp() - interval '1 minute'
    order by deadline limit 500`
  for (const call of late) await meetDeadline(ctx, call)
}
