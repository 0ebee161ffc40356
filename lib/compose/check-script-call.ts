import { ToolError } from '@waystation/base/known-error.ts'
import { inTransaction } from '#db/transaction.ts'
import { lockForLease } from '#lib/engine/log/session-lock.ts'
import { applyRules } from '#lib/features/approvals/open-by-rules.ts'
import type { CheckCall } from '#lib/features/wikis/script-functions.ts'
import { toOpening } from '#lib/tools/opening.ts'
import { toolsThatRun } from './tools-that-run.ts'

/**
 * Applies the agent's settings, the workspace's rules and the remembered approvals to a call that a script makes. The
 * approval of the script does not approve such calls, and a script cannot wait for an approval.
 */
export const checkScriptCall: CheckCall = ({ ctx, lease, call }, toolName, input) =>
  inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    const tools = (await toolsThatRun(tx, session, call)) ?? new Map()
    const [row] = await tx.sql<{ messageId: string }[]>`
      select message_id from calls
      where session_key = ${session.sessionKey} and tool_call_id = ${call.toolCallId}`
    const asked = toOpening(tools, { toolCallId: call.toolCallId, toolName, input })
    const [opening = asked] = await applyRules(tx, session, row?.messageId ?? '', [asked])
    const problem = opening.failed ?? opening.denied
    if (problem !== undefined) throw new ToolError(problem)
    if (opening.kind !== 'server')
      throw new ToolError(
        `A call of ${toolName} needs approval, and a script cannot wait for it. Use the tool ${toolName} instead.`
      )
    return tools.get(toolName)?.wikis
  })
