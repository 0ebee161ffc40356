import type { CallKind, ToolWhere } from '@waystation/protocol/call/call.ts'
import { addAuthors } from '#lib/engine/context/authors.ts'
import { scheduleIfRunnable } from '#lib/engine/inbox/schedule-if-runnable.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type CallRow, callColumns } from './call-row.ts'
import { defaults, maxOpenSeconds } from './defaults.ts'
import { notifyParent } from './notify-parent.ts'
import { dispatchCall, isBackground, notifyCall, watchDeadline } from './open.ts'
import { addCallAuthors, type Settlement, showCall } from './settle.ts'

/** The kind of call that an approved call becomes, by where it is fulfilled. */
const fulfilmentKind: Record<Exclude<ToolWhere, 'server'>, CallKind> = {
  browser: 'client',
  external: 'external',
  approver: 'question',
  agent: 'agent'
}

/**
 * Reopens an approved call that another party fulfills: a browser, an external system, a person or a
 * sub-agent. The call stays open as its fulfillment kind, with a new wait and a new deadline. The call's
 * event records the approver. Requires the session's lock.
 */
export async function reopenForFulfilment(
  ctx: Ctx,
  session: LockedSession,
  call: CallRow,
  approval: Settlement
): Promise<void> {
  if (call.where === 'server' || call.where === 'asker')
    throw new Error(`A call of "${call.where}" is not passed on.`)
  const kind = call.render?.kind === 'connect' ? 'connection' : fulfilmentKind[call.where]
  const wait = Math.min(call.deadlineSeconds ?? defaults[kind].seconds, maxOpenSeconds)
  const background = isBackground({ kind, input: approval.editedInput ?? call.input })
  const [row] = await ctx.sql<CallRow[]>`
    update calls set deferred_at = case when ${background} then coalesce(deferred_at, clock_timestamp()) else deferred_at end, kind = ${kind}, since = clock_timestamp(), warned_at = null,
      deadline = clock_timestamp() + make_interval(secs => ${wait}), on_deadline = ${defaults[kind].onDeadline},
      reason = ${`approved by ${approverOf(approval)}`}, answered_by = ${approval.answeredBy}, via = ${approval.via},
      answerer = ${approval.answerer ?? null}::jsonb, ${addCallAuthors(ctx, approval)},
      answer_digest = ${approval.digest ?? null},
      edited_input = ${approval.editedInput ?? null}::jsonb
    where session_key = ${session.sessionKey} and tool_call_id = ${call.toolCallId} and state = 'open'
    returning ${callColumns(ctx.sql)}`
  if (row === undefined) return
  await addAuthors(ctx, session.sessionKey, approval.saidBy ?? [])
  await showCall(ctx, session, row)
  await watchDeadline(ctx, session, row)
  await dispatchCall(ctx, session, row)
  await notifyCall(ctx, session, 'call.opened', row)
  await notifyParent(ctx, session)
  if (background) await scheduleIfRunnable(ctx, session)
}

/**
 * Returns the approver's name for `reason`. An end user is not named, because `reason` is stored in places
 * that a deletion does not reach.
 */
const approverOf = ({ answerer, answeredBy }: Settlement): string =>
  answerer?.id === `subject:${answeredBy}` ? 'the user' : answeredBy
