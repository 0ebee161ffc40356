import { finish } from '#lib/engine/calls/claim.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { TurnOutcome } from '#lib/protocol/session/event.ts'

/** Calls of ours that a stop cuts short: definite answers for the model. Calls that wait for somebody stay open, and
 * so does what was approved, when the stop only makes room for another message. */
export async function stopOwnCalls(ctx: Ctx, head: LockedSession, outcome: TurnOutcome): Promise<void> {
  const cut = await ctx.sql<{ toolCallId: string; claimed: boolean }[]>`
    select tool_call_id, claimed_at is not null as claimed from calls
    where session_key = ${head.sessionKey} and result is null and (
      claimed_at is not null or (kind = 'server' and state = 'open') or (state = 'approved' and ${outcome === 'cancelled'}))
    order by tool_call_id for update`
  for (const { toolCallId, claimed } of cut) {
    const text = claimed
      ? 'The turn was stopped while this call ran. Its outcome is unknown.'
      : 'Not run: the turn was stopped first.'
    await finish(ctx, head, toolCallId, { type: 'error', text })
  }
}
