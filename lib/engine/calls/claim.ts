import type { CallResult } from '@waystation/protocol/call/call.ts'
import { inTransaction } from '#db/transaction.ts'
import { countResult } from '#lib/engine/context/context-entries.ts'
import { patchMessage } from '#lib/engine/context/patch-message.ts'
import { type Facts, isSuperseded } from '#lib/engine/inbox/next-action.ts'
import { readFacts } from '#lib/engine/inbox/read-facts.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type CallRow, callColumns, wireCall } from './call-row.ts'

/**
 * A claimed call. `waitedSeconds` is the time that the call could already have run, in seconds. `agentId` is the
 * agent that made the call, or null if it is the session's own agent.
 */
export type ClaimedRow = CallRow & { waitedSeconds: number; agentId: string | null }

/**
 * Claims the calls that the server can run now: server tools and approved calls. The claim is committed
 * before the tool runs, so the effect happens at most once per call (docs/concepts/engine.md#claims).
 *
 * While a critical out-of-band message is waiting, these calls are superseded instead: they do not run, and
 * the model is called with the message (004-8). While "continue?" is open or was declined, the message starts
 * no step, so approved calls still run.
 *
 * Claims at most `maxCalls` calls, in the order in which they became ready. The rest stay unclaimed for the next
 * owner.
 */
export async function claimCalls(ctx: Ctx, lease: Lease, maxCalls = 1_000): Promise<ClaimedRow[]> {
  return inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    return claimLocked(tx, session, maxCalls, await readFacts(tx, session))
  })
}

/** Like `claimCalls`, in a transaction that has locked the session and read its facts. */
export async function claimLocked(
  tx: Ctx,
  session: LockedSession,
  maxCalls: number,
  facts: Facts
): Promise<ClaimedRow[]> {
  const superseded = isSuperseded(facts)
  const rows = await tx.sql<ClaimedRow[]>`
    with next as (
      select tool_call_id as id, coalesce(settled_at, since) as ready from calls
      where session_key = ${session.sessionKey} and result is null and claimed_at is null
        and (state = 'approved' or (kind = 'server' and state = 'open'))
      order by ready limit ${superseded ? null : maxCalls}::int
    )
    update calls set claimed_at = case when not ${superseded} then clock_timestamp() end,
      claimed_epoch = case when not ${superseded} then ${session.epoch}::int end
    from next
    where session_key = ${session.sessionKey} and tool_call_id = next.id
    returning ${callColumns(tx.sql)},
      extract(epoch from clock_timestamp() - next.ready)::float8 as waited_seconds,
      (select x.payload ->> 'agentId' from context x where x.session_key = ${session.sessionKey}
        and x.id = calls.context_id) as agent_id`
  if (superseded) {
    for (const { toolCallId, state, answeredBy, via } of rows)
      await storeResult(tx, session, toolCallId, {
        type: 'error',
        text: supersededBy(state, via === 'token' ? 'the user' : answeredBy)
      })
    return []
  }
  const claimed = rows.toSorted((a, b) => b.waitedSeconds - a.waitedSeconds)
  append(
    tx,
    session,
    claimed.map(row => ({ type: 'call', call: wireCall(row) }))
  )
  return claimed
}

/** Withdraws the claims of calls that this worker has not started. */
export async function unclaimCalls(ctx: Ctx, lease: Lease, toolCallIds: readonly string[]): Promise<void> {
  await inTransaction(ctx, async tx => unclaimLocked(tx, await lockForLease(tx, lease), toolCallIds))
}

async function unclaimLocked(tx: Ctx, session: LockedSession, toolCallIds: readonly string[]): Promise<void> {
  const rows = await tx.sql<CallRow[]>`
    update calls set claimed_at = null, claimed_epoch = null
    where session_key = ${session.sessionKey} and tool_call_id = any(${[...toolCallIds]}) and result is null
    returning ${callColumns(tx.sql)}`
  append(
    tx,
    session,
    rows.map(row => ({ type: 'call', call: wireCall(row) }))
  )
}

/** The result of a superseded call, for the model and for the approver. */
const supersededBy = (state: CallRow['state'], approver: string | null): string =>
  state === 'approved'
    ? `Superseded by critical input: the call did not run, although ${approver ?? 'an approver'} had approved it.`
    : 'Superseded by critical input: the call did not run.'

/**
 * Records the result of a claimed call. Throws `LeaseLost` if another worker owns the session. A call that
 * already has a result keeps it.
 */
export async function recordCall(
  ctx: Ctx,
  lease: Lease,
  toolCallId: string,
  result: CallResult,
  /**
   * `tokens` is the size of the result in the prompt. `duration` is the number of steps for which the result
   * stays in the prompt; undefined keeps the value from when the call opened.
   */
  { tokens, duration }: { tokens: number; duration?: number | undefined }
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    await storeResult(tx, session, toolCallId, result, { tokens, duration })
  })
}

/**
 * Recovers claims of workers that are gone. Repeatable tools become claimable again; all other calls get the
 * result "outcome unknown". Requires the session's lock.
 */
export async function recoverClaims(
  ctx: Ctx,
  session: LockedSession,
  repeatable: (toolName: string) => boolean
): Promise<void> {
  const staleClaims = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls
    where session_key = ${session.sessionKey} and result is null and claimed_epoch < ${session.epoch}
    order by tool_call_id for update`
  const repeatableIds: string[] = []
  for (const { toolName, toolCallId } of staleClaims) {
    if (repeatable(toolName)) repeatableIds.push(toolCallId)
    else await storeResult(ctx, session, toolCallId, { type: 'error', text: outcomeUnknown })
  }
  await unclaimLocked(ctx, session, repeatableIds)
}

/** The result of a call whose worker died while the tool ran (docs/concepts/engine.md#claims). */
export const outcomeUnknown =
  'Outcome unknown: the server stopped while this call ran. The call was not repeated. Check its effect before you repeat it.'

/**
 * Stores the result of a server call. The state of an approved call stays `approved`, or becomes `failed`.
 * Does nothing if the call already has a result. Requires the session's lock.
 */
export async function storeResult(
  ctx: Ctx,
  session: LockedSession,
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
    where session_key = ${session.sessionKey} and tool_call_id = ${toolCallId} and result is null
    returning ${callColumns(ctx.sql)}`
  if (row === undefined) return
  // The result of a deferred call becomes a separate entry later, and is counted there.
  if (tokens > 0 && row.deferredAt === null) await countResult(ctx, session, row.contextId, tokens)
  const call = wireCall(row)
  await patchMessage(ctx, session, call)
  append(ctx, session, [{ type: 'call', call }])
}
