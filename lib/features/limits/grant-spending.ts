import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AskedCap } from '#lib/protocol/call/spending.ts'

/**
 * Allows what a "continue?" asked for, in the transaction that answers it. The same question may have been put in several
 * sessions of one subject or workspace: the first yes is the grant, and those after it find it there.
 */
export async function grantSpending(
  ctx: Ctx,
  cap: AskedCap,
  by: { workspaceId: string; sessionKey: number; toolCallId: string; answeredBy: string }
): Promise<void> {
  await ctx.sql`
    insert into spend_grants (workspace_id, scope, about, period, level, usd, session_key, tool_call_id, granted_by)
    values (${by.workspaceId}, ${cap.scope}, ${cap.about}, ${cap.period}, ${cap.level}, ${cap.usd}, ${by.sessionKey},
      ${by.toolCallId}, ${by.answeredBy})
    on conflict do nothing`
}
