import { newId } from '@waystation/base/ids.ts'
import type { Limits } from '@waystation/protocol/agent/agent.ts'
import { type Answerer, denialReason } from '@waystation/protocol/call/answerers.ts'
import type { CapQuestion } from '@waystation/protocol/call/spending.ts'
import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import { openCalls } from '#lib/engine/calls/open.ts'
import { type Settlement, settle } from '#lib/engine/calls/settle.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { atLimit } from '#lib/engine/inbox/at-limit.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Question, ReachedCap } from './extensions.ts'

/** Returns why the turn cannot continue on its own, as text for a person; undefined while it can. */
export function overLimit(spent: { steps: number; usd: number }, limits: Limits): string | undefined {
  if (spent.steps >= limits.stepsPerTurn)
    return `The agent has taken ${spent.steps} ${spent.steps === 1 ? 'step' : 'steps'}, which is its limit for one turn.`
  if (spent.usd >= limits.usdPerTurn && limits.usdPerTurn > 0)
    return `The agent has spent $${spent.usd.toFixed(2)}, which reaches its limit of $${limits.usdPerTurn.toFixed(2)} for one turn.`
  return undefined
}

/**
 * Opens "continue?", a server-made call that the model never sees. Does nothing if one is already open.
 * Requires the session's lock.
 */
export async function askToContinue(
  tx: Ctx,
  session: LockedSession,
  writing: string | null,
  reason: string
): Promise<void> {
  if (session.turnId === null || (await isContinueOpen(tx, session))) return
  await openContinue(tx, session, writing ?? (await newestAnswer(tx, session)), { reason })
}

/** Tells whether a "continue?" is open. There is at most one. */
export async function isContinueOpen(tx: Ctx, session: LockedSession): Promise<boolean> {
  const [open] = await tx.sql`
    select from calls where session_key = ${session.sessionKey} and kind = 'limit' and state = 'open' limit 1`
  return open !== undefined
}

/** Opens "continue?" in this message of the live turn. Requires the session's lock. */
export async function openContinue(
  tx: Ctx,
  session: LockedSession,
  messageId: string,
  { reason, ...options }: Question
): Promise<void> {
  const turnId = session.turnId as string
  const opening = {
    ...options,
    toolCallId: newId('call'),
    toolName: 'continue',
    kind: 'limit' as const,
    where: 'approver' as const,
    title: 'Continue?',
    input: { reason },
    render: { kind: 'limit' }
  }
  const chunk = {
    type: 'tool-input-available' as const,
    toolCallId: opening.toolCallId,
    toolName: 'continue',
    input: opening.input
  }
  append(tx, session, [{ type: 'chunk', messageId, turnId, chunk }])
  await openCalls(tx, session, { messageId, turnId, contextId: null }, [opening])
  await refold(tx, session, messageId)
}

/**
 * Returns the message that shows "continue?" if the turn has not written one yet. A limit was reached, so an
 * earlier message exists.
 */
async function newestAnswer(tx: Ctx, session: LockedSession): Promise<string> {
  const [row] = await tx.sql<{ id: string }[]>`
    select id from messages where session_key = ${session.sessionKey} and role = 'assistant' order by pos desc limit 1`
  if (row === undefined) throw new Error('A limit was reached before the agent wrote anything.')
  return row.id
}

/**
 * Settles "continue?" with a person's message, which makes the agent continue (decision 012). At a spending
 * cap (`reached`), this applies only if the sender can continue there. A question about a cap that no longer
 * stops the session is canceled. Returns true if a person raised a cap. Requires the session's lock.
 */
export async function settleContinueByMessage(
  tx: Ctx,
  session: LockedSession,
  author: { name?: string | undefined; sender: Answerer | null },
  reached: ReachedCap | undefined
): Promise<boolean> {
  const limitCalls = await tx.sql<CallRow[]>`
    select ${callColumns(tx.sql)} from calls
    where session_key = ${session.sessionKey} and kind = 'limit' and state = 'open' for update`
  let allowed = false
  for (const call of limitCalls) {
    const settlement = settlementBy(call, author, reached)
    if (settlement === undefined) continue
    allowed ||= call.cap !== null && settlement.state === 'approved'
    await settle(tx, session, call, settlement)
    await tx.sql`
      update inbox set consumed_at = clock_timestamp()
      where session_key = ${session.sessionKey} and tool_call_id = ${call.toolCallId} and consumed_at is null`
  }
  return allowed
}

function settlementBy(
  { kind, cap, answerers }: CallRow,
  { name, sender }: { name?: string | undefined; sender: Answerer | null },
  reached: ReachedCap | undefined
): Settlement | undefined {
  const isInForce = cap === null || (reached !== undefined && isSameCap(cap, reached.cap))
  if (!isInForce) {
    const reason = 'This cap no longer stops the session.'
    const result = { type: 'output' as const, value: { continue: true } }
    return { state: 'cancelled', result, answeredBy: 'the server', via: 'server', reason }
  }
  const isExcluded = denialReason({ kind, answerers: answerers ?? undefined }, sender ?? {}) !== undefined
  if (name === undefined || isExcluded) return undefined
  const result = { type: 'output' as const, value: { continue: true } }
  return { state: 'approved', result, answeredBy: name, via: 'message' }
}

const isSameCap = (a: CapQuestion, b: CapQuestion): boolean =>
  a.scope === b.scope && a.about === b.about && a.period === b.period

/**
 * Tells whether a "continue?" is open, or was declined and no step has taken in the answer. Results alone
 * then start no step.
 */
export async function hasOpenLimit(tx: Ctx, session: LockedSession): Promise<boolean> {
  const [row] = await tx.sql<{ open: boolean }[]>`select ${atLimit(tx, session)} as open`
  return row?.open ?? false
}
