import type { ClaimedCall } from '#lib/engine/turn/turn.ts'
import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import type { ToolLimits } from '#lib/protocol/call/tool-settings.ts'
import type { DeclaredTool } from '#lib/protocol/session/session.ts'
import { toolsOfCall } from '#lib/tools/agent-tools.ts'
import { executeTool, type ToolHost } from '#lib/tools/execute.ts'
import { type ResolvedTools, resolveTools, withAcknowledge } from '#lib/tools/resolve.ts'

/** Runs a claimed call's tool. `tools`: those of the agent that speaks now. `left`: seconds that the calls of its step still have. */
export async function runCall(
  host: ToolHost,
  call: ClaimedCall,
  tools: ResolvedTools,
  { clientTools, limits }: { clientTools: readonly DeclaredTool[]; limits: ToolLimits },
  signal: AbortSignal,
  left: number
): Promise<ToolOutcome> {
  const { ctx, lease, generation } = host
  const life = { sessionKey: lease.sessionKey, generation }
  const own = (call.ofOther && (await toolsOfCall(ctx, life, call.toolCallId, clientTools))) || tools
  // Also for a call that a worker before this one had opened, or a revision that had a tool which is gone: what is open stays as
  // it was.
  const known = own.has(call.toolName) ? own : resolveTools(ctx.ports, [{ name: call.toolName }], [])
  const time = { seconds: limits.timeoutSeconds, left, together: call.batchSeconds }
  return executeTool(withAcknowledge(known), call, host, signal, time)
}
