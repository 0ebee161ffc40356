import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import type { NewEntry } from '#lib/engine/context/context-entries.ts'
import type { WaitingItem } from '#lib/engine/inbox/drain.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns the calls that these inbox items answer, in the order of their settlement. */
export const answeredCalls = async (
  tx: Ctx,
  session: LockedSession,
  answers: readonly WaitingItem[]
): Promise<CallRow[]> =>
  answers.length === 0
    ? []
    : tx.sql<CallRow[]>`
        select ${callColumns(tx.sql)} from calls where session_key = ${session.sessionKey}
          and tool_call_id = any(${answers.map(item => item.toolCallId ?? '')}) order by settled_at`

/** Estimates the tokens of a call's result in the prompt. */
export const resultTokens = ({ result }: CallRow): number => countTokens(JSON.stringify(result))

/**
 * Returns the context entry for the answer to a deferred call. It is added where the answer is drained, not
 * at the call's place.
 */
export const lateAnswer = (call: CallRow, turnId: string): NewEntry => ({
  kind: 'answer',
  turnId,
  toolCallId: call.toolCallId,
  payload: {
    toolName: call.toolName,
    state: call.state,
    result: call.result,
    ...(call.duration === null ? {} : { duration: call.duration })
  },
  tokens: resultTokens(call)
})
