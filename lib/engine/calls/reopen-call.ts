import { addAuthors } from '#lib/engine/context/authors.ts'
import { scheduleIfRunnable } from '#lib/engine/inbox/schedule-if-runnable.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CallKind } from '#lib/protocol/call/call.ts'
import { type CallRow, callColumns } from './call-row.ts'
import { capSeconds, defaults } from './defaults.ts'
import { notifyParent } from './notify-parent.ts'
import { dispatchCall, isBackground, notifyCall, watchDeadline } from './open.ts'
import { addSaidBy, type Settlement, showCall } from './settle.ts'

/** What an approved call of this place waits for next. */
const next: Record<Exclude<CallRow['where'], 'server'>, CallKind> = {
  browser: 'client',
  external: 'external',
  approver: 'question',
  agent: 'agent'
}

/**
 * An approved call that somebody else fulfils stays open: the approval was its first question, and now it waits for the
 * browser, the other system or the person it was meant for, for as long as its tool or that kind says: a wait of its
 * own, with a cap of its own. The approver is on record in the call's event.
 */
export async function reopenForFulfilment(
  ctx: Ctx,
  head: LockedSession,
  call: CallRow,
  approval: Settlement
): Promise<void> {
  if (call.where === 'server') throw new Error('A server call is run, not passed on.')
  const kind = call.render?.kind === 'connect' ? 'connection' : next[call.where]
  const wait = Math.min(call.deadlineSeconds ?? defaults[kind].seconds, capSeconds)
  const background = isBackground({ kind, input: approval.editedInput ?? call.input })
  const [row] = await ctx.sql<CallRow[]>`
    update calls set deferred_at = case when ${background} then coalesce(deferred_at, clock_timestamp()) else deferred_at end, kind = ${kind}, since = clock_timestamp(), warned_at = null,
      deadline = clock_timestamp() + make_interval(secs => ${wait}), on_deadline = ${defaults[kind].onDeadline},
      reason = ${`approved by ${approverOf(approval)}`}, answered_by = ${approval.answeredBy}, via = ${approval.via},
      answerer = ${approval.answerer ?? null}::jsonb, ${addSaidBy(ctx, approval)},
      answer_digest = ${approval.digest ?? null},
      edited_input = ${approval.editedInput ?? null}::jsonb
    where session_key = ${head.sessionKey} and tool_call_id = ${call.toolCallId} and state = 'open'
    returning ${callColumns(ctx.sql)}`
  if (row === undefined) return
  await addAuthors(ctx, head.sessionKey, approval.saidBy ?? [])
  await showCall(ctx, head, row)
  await watchDeadline(ctx, head, row)
  await dispatchCall(ctx, head, row)
  await notifyCall(ctx, head, 'call.opened', row)
  await notifyParent(ctx, head)
  if (background) await scheduleIfRunnable(ctx, head)
}

/** As `reason` names them: an end user by no name, because it is stored in more places than their deletion finds. */
const approverOf = ({ answerer, answeredBy }: Settlement): string =>
  answerer?.id === `subject:${answeredBy}` ? 'the user' : answeredBy
