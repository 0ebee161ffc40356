import type { ToolLimits } from '@waystation/protocol/call/tool-settings.ts'
import type { DeclaredTool } from '@waystation/protocol/session/session.ts'
import type { ClaimedCall } from '#lib/engine/turn/turn.ts'
import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import { toolsOfCall } from '#lib/tools/agent-tools.ts'
import { executeTool, type ToolContext } from '#lib/tools/execute.ts'
import { resolveTools, withAcknowledge } from '#lib/tools/resolve.ts'
import type { ResolvedTools } from '#lib/tools/resolved-tool.ts'

/**
 * Runs the tool of a claimed call. `tools` are those of the agent that speaks now. `secondsLeft` is the number of
 * seconds left for the calls of its step.
 */
export async function runCall(
  host: ToolContext,
  call: ClaimedCall,
  tools: ResolvedTools,
  { clientTools, limits }: { clientTools: readonly DeclaredTool[]; limits: ToolLimits },
  signal: AbortSignal,
  secondsLeft: number
): Promise<ToolOutcome> {
  const { ctx, lease, generation } = host
  const sessionGeneration = { sessionKey: lease.sessionKey, generation }
  const agentTools =
    (call.byOtherAgent && (await toolsOfCall(ctx, sessionGeneration, call.toolCallId, clientTools))) || tools
  // Open calls stay unchanged. The tool of this call may be missing in the current tools if another worker
  // opened it, or if the revision has changed.
  const callTools = agentTools.has(call.toolName)
    ? agentTools
    : resolveTools(ctx.ports, [{ name: call.toolName }], [])
  const timeLimits = { seconds: limits.timeoutSeconds, remaining: secondsLeft, together: call.batchSeconds }
  return executeTool(withAcknowledge(callTools), call, host, signal, timeLimits)
}
