import { openCalls } from '#lib/calls/open.ts'
import { append } from '#lib/events/append.ts'
import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
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
export async function askToGoOn(
  tx: Ctx,
  head: Head,
  messageId: string | null,
  reason: string
): Promise<void> {
  const [open] = await tx.sql`
    select from calls where session_key = ${head.sessionKey} and kind = 'limit' and state = 'open' limit 1`
  if (open !== undefined) return
  if (messageId === null || head.turnId === null) return
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
}

/** A "continue?" that is open, or that was refused and not seen yet: results alone do not start a step then. */
export async function limitStands(tx: Ctx, head: Head): Promise<boolean> {
  const [row] = await tx.sql<{ stands: boolean }[]>`
    select exists (
      select from calls c where c.session_key = ${head.sessionKey} and c.kind = 'limit' and (c.state = 'open' or (
        c.state <> 'approved' and exists (select from inbox i where i.session_key = c.session_key
          and i.tool_call_id = c.tool_call_id and i.consumed_at is null)))) as stands`
  return row?.stands ?? false
}
