import { inTransaction } from '#db/transaction.ts'
import { countResult } from '#lib/engine/context/context-entries.ts'
import { patchMessage } from '#lib/engine/context/patch-message.ts'
import { type Facts, isSuperseded } from '#lib/engine/inbox/next-action.ts'
import { readFacts } from '#lib/engine/inbox/read-facts.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import { type CallRow, callColumns, wireCall } from './call-row.ts'

/** A call that was claimed. `agentId`: who made it, where that is not the session's own agent. */
export type ClaimedRow = CallRow & { waited: number; agentId: string | null }

/**
 * Claims every call that our code may run now: server tools, and whatever was approved. The claim is committed before
 * anything runs, so an effect happens at most once per call (docs/concepts/engine.md#claims). While critical out-of-band input waits nothing
 * more is begun (004-8): what would have been claimed is superseded, and the model is asked again with the news. Not while
 * "continue?" stands: then nobody is told the news, and what a person approves is done.
 *
 * At most `room` of them, in the order in which they could run; the others stay unclaimed, so that they are begun by whoever has
 * the session then. `waited`: how long each could have run before it was claimed, in seconds.
 */
export async function claimCalls(ctx: Ctx, lease: Lease, room = 1_000): Promise<ClaimedRow[]> {
  return inTransaction(ctx, async tx => {
    const head = await lockForLease(tx, lease)
    return claimLocked(tx, head, room, await readFacts(tx, head))
  })
}

/** The same in a transaction that holds the lease and has read the facts. */
export async function claimLocked(
  tx: Ctx,
  head: LockedSession,
  room: number,
  facts: Facts
): Promise<ClaimedRow[]> {
  const superseded = isSuperseded(facts)
  const rows = await tx.sql<ClaimedRow[]>`
    with next as (
      select tool_call_id as id, coalesce(settled_at, since) as ready from calls
      where session_key = ${head.sessionKey} and result is null and claimed_at is null
        and (state = 'approved' or (kind = 'server' and state = 'open'))
      order by ready limit ${superseded ? null : room}::int
    )
    update calls set claimed_at = case when not ${superseded} then clock_timestamp() end,
      claimed_epoch = case when not ${superseded} then ${head.epoch}::int end
    from next
    where session_key = ${head.sessionKey} and tool_call_id = next.id
    returning ${callColumns(tx.sql)},
      extract(epoch from clock_timestamp() - next.ready)::float8 as waited,
      (select x.payload ->> 'agentId' from context x where x.session_key = ${head.sessionKey}
        and x.id = calls.context_id) as agent_id`
  if (superseded) {
    for (const { toolCallId, state, answeredBy, via } of rows)
      await finish(tx, head, toolCallId, {
        type: 'error',
        text: supersededBy(state, via === 'token' ? 'the user' : answeredBy)
      })
    return []
  }
  const claimed = rows.toSorted((a, b) => b.waited - a.waited)
  await append(
    tx,
    head,
    claimed.map(row => ({ type: 'call', call: wireCall(row) }))
  )
  return claimed
}

/** Gives back claims of calls that this worker did not start. */
export async function unclaimCalls(ctx: Ctx, lease: Lease, toolCallIds: readonly string[]): Promise<void> {
  await inTransaction(ctx, async tx => unclaimLocked(tx, await lockForLease(tx, lease), toolCallIds))
}

async function unclaimLocked(tx: Ctx, head: LockedSession, toolCallIds: readonly string[]): Promise<void> {
  const rows = await tx.sql<CallRow[]>`
    update calls set claimed_at = null, claimed_epoch = null
    where session_key = ${head.sessionKey} and tool_call_id = any(${[...toolCallIds]}) and result is null
    returning ${callColumns(tx.sql)}`
  await append(
    tx,
    head,
    rows.map(row => ({ type: 'call', call: wireCall(row) }))
  )
}

/** The words for the model, and for whoever had said yes to it. */
const supersededBy = (state: CallRow['state'], approver: string | null): string =>
  state === 'approved'
    ? `Superseded by critical input: the call did not run, although ${approver ?? 'an approver'} had approved it.`
    : 'Superseded by critical input: the call did not run.'

/**
 * Records what a claimed call came to. A zombie's record loses: its epoch moved, and a call that has a result keeps it.
 */
export async function recordCall(
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  result: CallResult,
  /** How long the result is in the prompt, and for how many rounds it stays there: as it was opened if nothing is said. */
  { tokens, duration }: { tokens: number; duration?: number | undefined }
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockForLease(tx, lease)
    await finish(tx, head, toolCallId, result, { tokens, duration })
  })
}

/** What became of claims whose worker is gone: run again if the tool says that is harmless, else "outcome unknown". */
export async function recoverClaims(
  ctx: Ctx,
  head: LockedSession,
  repeatable: (toolName: string) => boolean
): Promise<void> {
  const lost = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls
    where session_key = ${head.sessionKey} and result is null and claimed_epoch < ${head.epoch}
    order by tool_call_id for update`
  const again: string[] = []
  for (const { toolName, toolCallId } of lost) {
    if (repeatable(toolName)) again.push(toolCallId)
    else await finish(ctx, head, toolCallId, { type: 'error', text: outcomeUnknown })
  }
  await unclaimLocked(ctx, head, again)
}

/** The words the model and the person get when a worker died in the middle of an effect (docs/concepts/engine.md#claims). */
export const outcomeUnknown =
  'Outcome unknown: the server stopped while this call ran. The call was not repeated. Check its effect before you repeat it.'

/** Gives a call of ours its result; `approved` stays the state of what was approved. The head is locked. */
export async function finish(
  ctx: Ctx,
  head: LockedSession,
  toolCallId: string,
  result: CallResult,
  { tokens = 0, duration }: { tokens?: number; duration?: number | undefined } = {}
): Promise<void> {
  const [row] = await ctx.sql<CallRow[]>`
    update calls set result = ${result}::jsonb, ran_at = clock_timestamp(),
      state = case when state = 'open' then ${result.type === 'output' ? 'answered' : 'failed'}
        when state = 'approved' and ${result.type !== 'output'} then 'failed' else state end,
      settled_at = coalesce(settled_at, clock_timestamp()), answered_by = coalesce(answered_by, 'server'),
      via = coalesce(via, 'server'), duration = coalesce(${duration ?? null}::int, duration)
    where session_key = ${head.sessionKey} and tool_call_id = ${toolCallId} and result is null
    returning ${callColumns(ctx.sql)}`
  if (row === undefined) return
  // It stands at its place in the prompt and counts there; what is told later is counted when it is told.
  if (tokens > 0 && row.deferredAt === null) await countResult(ctx, head, row.contextId, tokens)
  const call = wireCall(row)
  await patchMessage(ctx, head, call)
  await append(ctx, head, [{ type: 'call', call }])
}
