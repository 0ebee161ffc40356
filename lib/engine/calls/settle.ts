import { addAuthors } from '#lib/engine/context/authors.ts'
import { patchMessage } from '#lib/engine/context/patch-message.ts'
import { put } from '#lib/engine/inbox/put.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { observer } from '#lib/kernel/ports/observer.ts'
import type { Identity } from '#lib/protocol/call/answerers.ts'
import type { CallResult, CallState, Via } from '#lib/protocol/call/call.ts'
import type { Elicited } from '#lib/protocol/call/elicitation.ts'
import { type CallRow, callColumns, wireCall } from './call-row.ts'
import { notifyParent } from './notify-parent.ts'
import { dispatchCall, notifyCall } from './open.ts'

export type Settlement = {
  state: Exclude<CallState, 'open'>
  /** What the model is told; null while our code still has to run (an approved call). */
  result: CallResult | null
  answeredBy: string
  answerer?: Identity
  /** Whose words it brings (`brings-words.ts`). */
  saidBy?: readonly Identity[]
  via: Via
  reason?: string
  editedInput?: unknown
  /** All that people answered in the middle of its run, with this. */
  elicited?: Elicited[]
  digest?: string
}

/** `isDue`: the deadline is reached, by the database's clock (docs/concepts/engine.md#deadlines). At it counts as past it. */
export type LockedCall = CallRow & { isDue: boolean }

/** Locks one call of a session whose head is locked (lock order: head → calls). Undefined if there is none. */
export async function lockCall(
  ctx: Ctx,
  head: LockedSession,
  toolCallId: string
): Promise<LockedCall | undefined> {
  const [call] = await ctx.sql<LockedCall[]>`
    select ${callColumns(ctx.sql)}, clock_timestamp() >= deadline as is_due from calls
    where session_key = ${head.sessionKey} and tool_call_id = ${toolCallId} for update`
  return call
}

/**
 * Settles an open call, exactly once (docs/concepts/engine.md#settle): flips the row from `open`, shows it in its message and the log, and
 * puts the answer into the inbox, all in the caller's transaction. A yes to "continue?" at a spending cap allows more there and
 * then. Undefined: somebody else settled it first.
 */
export async function settle(
  ctx: Ctx,
  head: LockedSession,
  call: CallRow,
  settlement: Settlement
): Promise<CallRow | undefined> {
  const settled = await settleSilently(ctx, head, call, settlement)
  if (settled === undefined) return undefined
  await put(ctx, head, { kind: 'answer', toolCallId: call.toolCallId })
  if (head.turnId === null) await rest(ctx, head)
  return settled
}

/** The same without telling the agent: of a call that goes out of its context. */
export async function settleSilently(
  ctx: Ctx,
  head: LockedSession,
  call: CallRow,
  settlement: Settlement
): Promise<CallRow | undefined> {
  const [settled] = await ctx.sql<CallRow[]>`
    update calls set state = ${settlement.state}, settled_at = clock_timestamp(),
      result = ${settlement.result}::jsonb,
      answered_by = ${settlement.answeredBy}, answerer = coalesce(${settlement.answerer ?? null}::jsonb, answerer), via = ${settlement.via}, reason = ${settlement.reason ?? null},
      ${addSaidBy(ctx, settlement)},
      edited_input = coalesce(${settlement.editedInput ?? null}::jsonb, edited_input),
      elicited = coalesce(${settlement.elicited ?? null}::jsonb, elicited),
      answer_digest = ${settlement.digest ?? null}
    where session_key = ${head.sessionKey} and tool_call_id = ${call.toolCallId} and state = 'open'
    returning ${callColumns(ctx.sql)}`
  if (settled === undefined) return undefined
  await addAuthors(ctx, head.sessionKey, settlement.saidBy ?? [])
  await ctx.ports.calls.onSettled(ctx, head, settled)
  await showCall(ctx, head, settled)
  await notifyCall(ctx, head, 'call.settled', settled)
  // Whoever settled it, its sub-agent has nobody to work for any more.
  if (settled.kind === 'agent') await dispatchCall(ctx, head, settled)
  await notifyParent(ctx, head)
  ctx.afterCommit(() => tellWatchers(head, settled))
  return settled
}

/** As a part of an update: who said something before is not forgotten over who says something now. */
export const addSaidBy = ({ sql }: Ctx, { saidBy = [] }: Pick<Settlement, 'saidBy'>) => sql`
  said_by = nullif(coalesce(said_by, '[]') || ${saidBy}::jsonb, '[]')`

function tellWatchers({ sessionId, agentId }: LockedSession, call: CallRow): void {
  const { toolCallId, toolName, turnId, kind, state } = call
  const [since, settledAt] = [call.since, call.settledAt ?? call.since]
  observer().callSettled({ sessionId, agentId, turnId, toolCallId, toolName, kind, state, since, settledAt })
}

/** A parked session in which nothing is open any more, and that nothing made run, is idle. */
async function rest(ctx: Ctx, head: LockedSession): Promise<void> {
  const [idle] = await ctx.sql`
    update sessions set status = 'idle' where key = ${head.sessionKey} and status = 'parked' and not exists (
      select from calls where session_key = ${head.sessionKey} and state = 'open' and kind <> 'server') returning key`
  if (idle === undefined) return
  head.status = 'idle'
  await append(ctx, head, [{ type: 'status', status: 'idle' }])
  await notifyParent(ctx, head)
}

/** Shows a call as it now is: in its folded message and as an event. */
export async function showCall(ctx: Ctx, head: LockedSession, row: CallRow): Promise<void> {
  const call = wireCall(row)
  await patchMessage(ctx, head, call)
  await append(ctx, head, [{ type: 'call', call }])
}
