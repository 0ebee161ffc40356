import { type CallRow, callColumns } from '#lib/calls/call-row.ts'
import { openCalls } from '#lib/calls/open.ts'
import { callsOfMessage } from '#lib/calls/read.ts'
import { settle } from '#lib/calls/settle.ts'
import { append } from '#lib/events/append.ts'
import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { refold } from '#lib/messages/refold.ts'
import type { Limits } from '#lib/protocol/agent.ts'

/** Why this turn may not go on by itself, in words for a person; undefined while it may. */
export function overLimit(spent: { steps: number; usd: number }, limits: Limits): string | undefined {
  if (spent.steps >= limits.stepsPerTurn)
    return `It has taken ${spent.steps} steps, which is this agent's limit for one turn.`
  if (spent.usd >= limits.usdPerTurn && limits.usdPerTurn > 0)
    return `It has spent $${spent.usd.toFixed(2)}, which reaches this agent's limit of $${limits.usdPerTurn.toFixed(2)} for one turn.`
  return undefined
}

/** Reaching a cap opens a call of our own, "continue?", which the model never sees. */
export async function askToGoOn(tx: Ctx, head: Head, writing: string | null, reason: string): Promise<void> {
  const [open] = await tx.sql`
    select from calls where session_key = ${head.sessionKey} and kind = 'limit' and state = 'open' limit 1`
  if (open !== undefined || head.turnId === null) return
  const messageId = writing ?? (await newestAnswer(tx, head))
  const opening = {
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
  await append(tx, head, [{ type: 'chunk', messageId, turnId: head.turnId, chunk }])
  await openCalls(tx, head, { messageId, turnId: head.turnId, contextId: null }, [opening])
  await refold(tx, head, messageId, await callsOfMessage(tx, head.sessionKey, messageId))
}

/** Where "continue?" is shown when the turn has written nothing yet: a limit was reached, so there is a message. */
async function newestAnswer(tx: Ctx, head: Head): Promise<string> {
  const [row] = await tx.sql<{ id: string }[]>`
    select id from messages where session_key = ${head.sessionKey} and role = 'assistant' order by pos desc limit 1`
  if (row === undefined) throw new Error('A limit was reached before anything was said.')
  return row.id
}

/** A person's message is the answer to "continue?" (decision 012): it has the agent go on, so nothing is left to be asked. */
export async function goOnByMessage(tx: Ctx, head: Head, sentBy: string): Promise<void> {
  const open = await tx.sql<CallRow[]>`
    select ${callColumns(tx.sql)} from calls
    where session_key = ${head.sessionKey} and kind = 'limit' and state = 'open' for update`
  for (const call of open) {
    const result = { type: 'output' as const, value: { continue: true } }
    await settle(tx, head, call, { state: 'approved', result, answeredBy: sentBy, via: 'message' })
    await tx.sql`
      update inbox set consumed_at = clock_timestamp()
      where session_key = ${head.sessionKey} and tool_call_id = ${call.toolCallId} and consumed_at is null`
  }
}

/** A "continue?" that is open, or that was refused and not seen yet: results alone do not start a step then. */
export async function limitStands(tx: Ctx, head: Head): Promise<boolean> {
  const [row] = await tx.sql<{ stands: boolean }[]>`
    select exists (
      select from calls where session_key = ${head.sessionKey} and result is null and kind = 'limit'
    ) or exists (
      select from inbox i join calls c on c.session_key = i.session_key and c.tool_call_id = i.tool_call_id
      where i.session_key = ${head.sessionKey} and i.consumed_at is null and c.kind = 'limit' and c.state <> 'approved'
    ) as stands`
  return row?.stands ?? false
}
