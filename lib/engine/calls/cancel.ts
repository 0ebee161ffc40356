import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { Answered } from '@waystation/protocol/call/call.ts'
import type { InCall } from '@waystation/protocol/session/session.ts'
import { inTransaction } from '#db/transaction.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { alreadySettled, notAnswerable } from './answer.ts'
import { checkMayAnswer } from './answerers.ts'
import { type CallRow, callColumns } from './call-row.ts'
import { settleExpired } from './deadline.ts'
import { lockCall, type Settlement, settle, settleSilently } from './settle.ts'

/**
 * Settles one open call as canceled and leaves all other open calls as they are. Canceling a canceled call
 * returns the same response. If the call was settled otherwise, or is due, this throws `ALREADY_SETTLED`. A
 * server call throws `NOT_ANSWERABLE`: stop its turn instead.
 */
export async function cancelCall(ctx: Ctx, input: InCall): Promise<Answered> {
  const outcome = await inTransaction(ctx, async tx => {
    const session = await lockSession(tx, input.sessionId)
    const call = await lockCall(tx, session, input.toolCallId)
    if (call === undefined) throw notFound('call', input.toolCallId)
    if (call.kind === 'server') throw notAnswerable()
    checkMayAnswer(tx, call)
    if (call.state !== 'open') return call
    if (call.isDue) return settleExpired(tx, session, call)
    return (await settle(tx, session, call, cancellation(tx))) ?? call
  })
  if (outcome.state !== 'cancelled') throw alreadySettled(outcome)
  return { toolCallId: outcome.toolCallId, state: outcome.state }
}

/**
 * Settles every open call except server calls as canceled, after an explicit request
 * (docs/concepts/engine.md#open-calls). Throws `FORBIDDEN`, and cancels none, if the caller is excluded from
 * answering any of them. A session token that can stop the turn (scope `send`) also needs the scope `answer`.
 * Requires the session's lock.
 */
export async function cancelCalls(ctx: Ctx, session: LockedSession): Promise<void> {
  checkMayCancel(ctx)
  const open = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls
    where session_key = ${session.sessionKey} and state = 'open' and kind <> 'server' order by tool_call_id for update`
  for (const call of open) checkMayAnswer(ctx, call)
  for (const call of open) await settle(ctx, session, call, cancellation(ctx))
}

/**
 * Cancels calls that are removed from the conversation together with their messages. The agent receives no
 * answer, because its context no longer contains the calls. The caller has locked the rows in `open`.
 */
export async function cancelSilently(
  ctx: Ctx,
  session: LockedSession,
  open: readonly CallRow[]
): Promise<void> {
  if (open.length > 0) checkMayCancel(ctx)
  for (const call of open) checkMayAnswer(ctx, call)
  for (const call of open) await settleSilently(ctx, session, call, cancellation(ctx))
}

function checkMayCancel({ actor }: Ctx): void {
  if (actor.kind === 'subject' && !actor.scopes.includes('answer'))
    throw new ApiError(
      'FORBIDDEN',
      'This session token can stop the turn but not cancel its calls. Canceling calls needs the scope "answer".'
    )
}

/**
 * The settlement of a canceled call. The text for the model does not name an end user, because it remains
 * after the user is deleted. `via: "token"` marks `answeredBy` as an end user's name.
 */
const cancellation = ({ actor }: Ctx): Settlement => ({
  state: 'cancelled',
  result: {
    type: 'error',
    text: `Canceled by ${actor.kind === 'subject' ? 'the user' : actor.name}. Do not repeat this call unless the user asks for it.`
  },
  answeredBy: actor.name,
  via: actor.kind === 'subject' ? 'token' : 'cancel'
})
