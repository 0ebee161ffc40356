import type { TurnOutcome } from '@waystation/protocol/session/event.ts'
import { storeResult } from '#lib/engine/calls/claim.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Settles the server calls of a stopped turn with definite results for the model. Other open calls stay open.
 * Approved calls also stay open if an interrupt, not a cancel, stopped the turn. Requires the session's lock.
 */
export async function stopOwnCalls(ctx: Ctx, session: LockedSession, outcome: TurnOutcome): Promise<void> {
  const stoppedCalls = await ctx.sql<{ toolCallId: string; claimed: boolean }[]>`
    select tool_call_id, claimed_at is not null as claimed from calls
    where session_key = ${session.sessionKey} and result is null and (
      claimed_at is not null or (kind = 'server' and state = 'open') or (state = 'approved' and ${outcome === 'cancelled'}))
    order by tool_call_id for update`
  for (const { toolCallId, claimed } of stoppedCalls) {
    const text = claimed
      ? 'The turn was stopped while this call ran. Its outcome is unknown.'
      : 'Not run: the turn was stopped first.'
    await storeResult(ctx, session, toolCallId, { type: 'error', text })
  }
}
