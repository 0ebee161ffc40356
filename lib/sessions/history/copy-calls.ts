import type { CallResult } from '@waystation/protocol/call/call.ts'
import { type CallRow, callColumns, wireCall } from '#lib/engine/calls/call-row.ts'
import { countResult } from '#lib/engine/context/context-entries.ts'
import { patchMessage } from '#lib/engine/context/patch-message.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { resultTokens } from '#lib/engine/worker/begin-step/answered-calls.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

const notCopied: CallResult = {
  type: 'error',
  text: 'Not copied: this conversation was branched while the call was pending. Repeat the call if you still need it.'
}

/**
 * Copies the calls of a branch's messages with their results. A call that is open in the original is settled in the
 * branch, so that nothing is asked or run twice. An answer that came after the copied turns becomes the result at the
 * call's own position. Needs the locks of both sessions.
 */
export async function copyCalls(tx: Ctx, branch: LockedSession, from: number): Promise<void> {
  const rows = await tx.sql<(CallRow & { wasOpen: boolean })[]>`
    with source as (
      select c.*, c.result is null or c.state = 'open' as was_open, e.id as entry,
        exists (select from context a where a.session_key = ${branch.sessionKey} and a.kind = 'answer'
          and a.tool_call_id = c.tool_call_id) as told
      from calls c join messages m on m.session_key = ${branch.sessionKey} and m.id = c.message_id
        left join context e on e.session_key = ${branch.sessionKey} and e.kind = 'step'
          and e.message_id = c.message_id and e.payload -> 'callIds' ? c.tool_call_id
      where c.session_key = ${from}
    ), copied as (
      insert into calls (session_key, tool_call_id, workspace_id, generation, tool_name, kind, "where", title, message_id,
        turn_id, context_id, input, edited_input, render, target, deadline_seconds, answerers, cap, output_schema,
        input_schema, duration, state, result, since, deadline, on_deadline, warned_at, deferred_at, settled_at, ran_at, answered_by,
        said_by, via, reason, answer_digest)
      select ${branch.sessionKey}, tool_call_id, workspace_id, ${branch.generation}, tool_name, kind, "where", title, message_id,
        turn_id, entry, input, edited_input, render, target, deadline_seconds, answerers, cap, output_schema, input_schema, duration,
        case when was_open then 'cancelled' else state end,
        case when was_open then ${notCopied}::jsonb else result end, since, deadline, on_deadline, warned_at,
        case when told then deferred_at end, case when was_open then clock_timestamp() else settled_at end, ran_at,
        case when was_open then ${tx.actor.name} else answered_by end, said_by,
        case when was_open then 'cancel' else via end, reason,
        answer_digest from source
      returning *
    )
    select ${callColumns(tx.sql)},
      exists (select from source s where s.tool_call_id = copied.tool_call_id and (s.was_open or s.deferred_at is not null and not s.told)) as was_open
    from copied order by since, tool_call_id`
  for (const row of rows.filter(({ wasOpen }) => wasOpen)) {
    await patchMessage(tx, branch, wireCall(row))
    await countResult(tx, branch, row.contextId, resultTokens(row))
  }
  append(
    tx,
    branch,
    rows.map(row => ({ type: 'call', call: wireCall(row) }))
  )
}
