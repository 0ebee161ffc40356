import type { CapQuestion } from '@waystation/protocol/call/spending.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Stores the extra spending that a "continue?" asked for, in the transaction of the answer. Several sessions
 * of one end user or workspace may ask the same question. The first yes creates the grant, and later ones
 * change nothing.
 */
export async function grantSpending(
  ctx: Ctx,
  cap: CapQuestion,
  by: { workspaceId: string; sessionKey: number; toolCallId: string; answeredBy: string }
): Promise<void> {
  await ctx.sql`
    insert into spend_grants (workspace_id, scope, about, period, level, usd, session_key, tool_call_id, granted_by)
    values (${by.workspaceId}, ${cap.scope}, ${cap.about}, ${cap.period}, ${cap.level}, ${cap.usd}, ${by.sessionKey},
      ${by.toolCallId}, ${by.answeredBy})
    on conflict do nothing`
}
