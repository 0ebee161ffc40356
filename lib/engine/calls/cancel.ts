import { inTransaction } from '#db/transaction.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import type { Answered } from '#lib/protocol/call/call.ts'
import type { InCall } from '#lib/protocol/session/session.ts'
import { alreadySettled, notAnswerable } from './answer.ts'
import { checkMayAnswer } from './answerers.ts'
import { type CallRow, callColumns } from './call-row.ts'
import { settleExpired } from './deadline.ts'
import { lockCall, type Settlement, settle, settleSilently } from './settle.ts'

/**
 * Settles one open call as cancelled; whatever else waits goes on waiting. Cancelled before: the same reply. Settled
 * otherwise, or due: `ALREADY_SETTLED` names the winner. A call that our own code carries out is `NOT_ANSWERABLE`:
 * stop its turn.
 */
export async function cancelCall(ctx: Ctx, input: InCall): Promise<Answered> {
  const outcome = await inTransaction(ctx, async tx => {
    const head = await lockSession(tx, input.sessionId)
    const call = await lockCall(tx, head, input.toolCallId)
    if (call === undefined) throw notFound('call', input.toolCallId)
    if (call.kind === 'server') throw notAnswerable()
    checkMayAnswer(tx, call)
    if (call.state !== 'open') return call
    if (call.isDue) return settleExpired(tx, head, call)
    return (await settle(tx, head, call, cancellation(tx))) ?? call
  })
  if (outcome.state !== 'cancelled') throw alreadySettled(outcome)
  return { toolCallId: outcome.toolCallId, state: outcome.state }
}

/**
 * Settles every open call that waits for somebody as cancelled, because the caller said so explicitly (docs/concepts/engine.md#open-calls).
 * A session token that may stop the turn (`send`) needs `answer` for this, as for one call, and whoever it is must be one
 * who may answer each of them: else `FORBIDDEN`, and none is cancelled.
 */
export async function cancelCalls(ctx: Ctx, head: LockedSession): Promise<void> {
  checkMayCancel(ctx)
  const open = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls
    where session_key = ${head.sessionKey} and state = 'open' and kind <> 'server' order by tool_call_id for update`
  for (const call of open) checkMayAnswer(ctx, call)
  for (const call of open) await settle(ctx, head, call, cancellation(ctx))
}

/**
 * The same for calls that go out of the conversation with their messages: the agent is not told, as it will not know that
 * it asked. They are locked already.
 */
export async function cancelSilently(ctx: Ctx, head: LockedSession, open: readonly CallRow[]): Promise<void> {
  if (open.length > 0) checkMayCancel(ctx)
  for (const call of open) checkMayAnswer(ctx, call)
  for (const call of open) await settleSilently(ctx, head, call, cancellation(ctx))
}

function checkMayCancel({ actor }: Ctx): void {
  if (actor.kind === 'subject' && !actor.scopes.includes('answer'))
    throw new Refusal(
      'FORBIDDEN',
      'This session token can stop the turn but not cancel its calls. Canceling calls needs the scope "answer".'
    )
}

/** Words that stay when their user is deleted name no end user; `token` says whose name it is that stands beside them. */
const cancellation = ({ actor }: Ctx): Settlement => ({
  state: 'cancelled',
  result: {
    type: 'error',
    text: `Canceled by ${actor.kind === 'subject' ? 'the user' : actor.name}. Do not repeat this call unless the user asks for it.`
  },
  answeredBy: actor.name,
  via: actor.kind === 'subject' ? 'token' : 'cancel'
})
