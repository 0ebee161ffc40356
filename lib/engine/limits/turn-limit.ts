import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import { type Opening, openCalls } from '#lib/engine/calls/open.ts'
import { callsOfMessage } from '#lib/engine/calls/read-calls.ts'
import { type Settlement, settle } from '#lib/engine/calls/settle.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import type { Limits } from '#lib/protocol/agent/agent.ts'
import { type Answerer, denialReason } from '#lib/protocol/call/answerers.ts'
import type { AskedCap } from '#lib/protocol/call/spending.ts'
import { atLimit } from './at-limit.ts'
import type { ReachedCap } from './extensions.ts'

/** Why this turn may not go on by itself, in words for a person; undefined while it may. */
export function overLimit(spent: { steps: number; usd: number }, limits: Limits): string | undefined {
  if (spent.steps >= limits.stepsPerTurn)
    return `The agent has taken ${spent.steps} ${spent.steps === 1 ? 'step' : 'steps'}, which is its limit for one turn.`
  if (spent.usd >= limits.usdPerTurn && limits.usdPerTurn > 0)
    return `The agent has spent $${spent.usd.toFixed(2)}, which reaches its limit of $${limits.usdPerTurn.toFixed(2)} for one turn.`
  return undefined
}

/** Reaching a cap opens a call of our own, "continue?", which the model never sees. */
export async function askToGoOn(
  tx: Ctx,
  head: LockedSession,
  writing: string | null,
  reason: string
): Promise<void> {
  if (head.turnId === null || (await isAsked(tx, head))) return
  await openContinue(tx, head, writing ?? (await newestAnswer(tx, head)), { reason })
}

/** Is a "continue?" open? There is never more than one. */
export async function isAsked(tx: Ctx, head: LockedSession): Promise<boolean> {
  const [open] = await tx.sql`
    select from calls where session_key = ${head.sessionKey} and kind = 'limit' and state = 'open' limit 1`
  return open !== undefined
}

/** Why "continue?" is asked, and of a cap who may say yes, to what, until when. */
export type Question = { reason: string } & Pick<Opening, 'answer' | 'cap' | 'deadlineSeconds'>

/** Opens "continue?" in this message of the turn that is on the head. */
export async function openContinue(
  tx: Ctx,
  head: LockedSession,
  messageId: string,
  { reason, ...more }: Question
): Promise<void> {
  const turnId = head.turnId as string
  const opening = {
    ...more,
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
  await append(tx, head, [{ type: 'chunk', messageId, turnId, chunk }])
  await openCalls(tx, head, { messageId, turnId, contextId: null }, [opening])
  await refold(tx, head, messageId, await callsOfMessage(tx, head.sessionKey, messageId))
}

/** Where "continue?" is shown when the turn has written nothing yet: a limit was reached, so there is a message. */
async function newestAnswer(tx: Ctx, head: LockedSession): Promise<string> {
  const [row] = await tx.sql<{ id: string }[]>`
    select id from messages where session_key = ${head.sessionKey} and role = 'assistant' order by pos desc limit 1`
  if (row === undefined) throw new Error('A limit was reached before the agent wrote anything.')
  return row.id
}

/**
 * A person's message is the answer to "continue?" (decision 012): it has the agent go on, so nothing is left to be asked.
 * At a spending cap (`reached`) that is so if its sender may continue there; and what asks about a cap that does not hold
 * the session back any more is asked no longer. True: somebody allowed more.
 */
export async function goOnByMessage(
  tx: Ctx,
  head: LockedSession,
  by: { name?: string | undefined; sender: Answerer | null },
  reached: ReachedCap | undefined
): Promise<boolean> {
  const open = await tx.sql<CallRow[]>`
    select ${callColumns(tx.sql)} from calls
    where session_key = ${head.sessionKey} and kind = 'limit' and state = 'open' for update`
  let allowed = false
  for (const call of open) {
    const settlement = settlementBy(call, by, reached)
    if (settlement === undefined) continue
    allowed ||= call.cap !== null && settlement.state === 'approved'
    await settle(tx, head, call, settlement)
    await tx.sql`
      update inbox set consumed_at = clock_timestamp()
      where session_key = ${head.sessionKey} and tool_call_id = ${call.toolCallId} and consumed_at is null`
  }
  return allowed
}

function settlementBy(
  { kind, cap, answerers }: CallRow,
  { name, sender }: { name?: string | undefined; sender: Answerer | null },
  reached: ReachedCap | undefined
): Settlement | undefined {
  const holds = cap === null || (reached !== undefined && isSameCap(cap, reached.cap))
  if (!holds) {
    const reason = 'This cap no longer stops the session.'
    const result = { type: 'output' as const, value: { continue: true } }
    return { state: 'cancelled', result, answeredBy: 'the server', via: 'server', reason }
  }
  const barred = denialReason({ kind, answerers: answerers ?? undefined }, sender ?? {}) !== undefined
  if (name === undefined || barred) return undefined
  const result = { type: 'output' as const, value: { continue: true } }
  return { state: 'approved', result, answeredBy: name, via: 'message' }
}

const isSameCap = (a: AskedCap, b: AskedCap): boolean =>
  a.scope === b.scope && a.about === b.about && a.period === b.period

/** A "continue?" that is open, or that was refused and not seen yet: results alone do not start a step then. */
export async function hasOpenLimit(tx: Ctx, head: LockedSession): Promise<boolean> {
  const [row] = await tx.sql<{ stands: boolean }[]>`select ${atLimit(tx, head)} as stands`
  return row?.stands ?? false
}
