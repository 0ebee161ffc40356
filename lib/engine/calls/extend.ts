import { invalid, notFound } from '@waystation/base/api-error.ts'
import type { ExtendCall } from '@waystation/protocol/session/session.ts'
import { inTransaction } from '#db/transaction.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { alreadySettled } from './answer.ts'
import { checkMayAnswer } from './answerers.ts'
import { type CallRow, callColumns } from './call-row.ts'
import { settleExpired } from './deadline.ts'
import { maxOpenSeconds } from './defaults.ts'
import { watchDeadline } from './open.ts'
import { lockCall, showCall } from './settle.ts'

/**
 * Moves an open call's deadline to `until`, or to `seconds` from now. The new deadline must be in the future,
 * and is at most 30 days after the call was opened. An earlier deadline decides how the call ends, so it
 * throws `FORBIDDEN` if the caller is excluded from answering. Throws `ALREADY_SETTLED` if the call is
 * settled or due.
 */
export async function extendCall(ctx: Ctx, input: ExtendCall): Promise<{ deadline: string }> {
  if ((input.until === undefined) === (input.seconds === undefined)) {
    const text = 'set exactly one of until and seconds'
    throw invalid('Set exactly one of "until" (a time) and "seconds" (from now).', {
      until: text,
      seconds: text
    })
  }
  const outcome = await inTransaction(ctx, async tx => {
    const session = await lockSession(tx, input.sessionId)
    const call = await lockCall(tx, session, input.toolCallId)
    if (call === undefined || call.kind === 'server') throw notFound('open call', input.toolCallId)
    if (call.state !== 'open') return { winner: call }
    if (call.isDue) return { winner: await settleExpired(tx, session, call) }
    const [row] = await tx.sql<CallRow[]>`
      with wanted as (
        select least(coalesce(${input.until ?? null}::timestamptz, clock_timestamp() + make_interval(secs => ${input.seconds ?? 0})),
          since + make_interval(secs => ${maxOpenSeconds})) as at
        from calls where session_key = ${session.sessionKey} and tool_call_id = ${call.toolCallId}
      )
      update calls set deadline = wanted.at, warned_at = null from wanted
      where session_key = ${session.sessionKey} and tool_call_id = ${call.toolCallId} and wanted.at > clock_timestamp()
      returning ${callColumns(tx.sql)}`
    if (row === undefined)
      throw invalid('A deadline can only be moved to a time in the future.', {
        until: 'must be in the future'
      })
    if (new Date(row.deadline) < new Date(call.deadline)) checkMayAnswer(tx, call)
    await showCall(tx, session, row)
    await watchDeadline(tx, session, row)
    return { deadline: row.deadline }
  })
  if (outcome.winner !== undefined) throw alreadySettled(outcome.winner)
  return outcome
}
