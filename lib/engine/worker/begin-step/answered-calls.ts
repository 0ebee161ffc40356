import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import type { NewEntry } from '#lib/engine/context/context-entries.ts'
import type { WaitingItem } from '#lib/engine/inbox/drain.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The calls that these items of the inbox answer, in the order of their settlement. */
export const answeredCalls = async (
  tx: Ctx,
  head: LockedSession,
  answers: readonly WaitingItem[]
): Promise<CallRow[]> =>
  answers.length === 0
    ? []
    : tx.sql<CallRow[]>`
        select ${callColumns(tx.sql)} from calls where session_key = ${head.sessionKey}
          and tool_call_id = any(${answers.map(item => item.toolCallId ?? '')}) order by settled_at`

/** How many tokens a call's result is where the model is told it. */
export const resultTokens = ({ result }: CallRow): number => countTokens(JSON.stringify(result))

/** The late answer to a deferred call, as the model is told it: where it was drained, not at the call's place. */
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
