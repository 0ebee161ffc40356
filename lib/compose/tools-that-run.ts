import { agentOfCall } from '#lib/agents/agent-of-call.ts'
import { applyOverlay } from '#lib/agents/overlay/apply-overlay.ts'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { agentOfSessionIfAny } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { agentTools, toolsOfCall } from '#lib/tools/agent-tools.ts'
import type { ResolvedTools } from '#lib/tools/resolved-tool.ts'

/** Returns the tools with which the call would run now (`turn/run-call.ts`). */
export async function toolsThatRun(
  tx: Ctx,
  session: LockedSession,
  { toolCallId }: { toolCallId: string }
): Promise<ResolvedTools | undefined> {
  const running = await agentOfSessionIfAny(tx, session.sessionKey)
  if (running?.config.type !== 'chat') return undefined
  const how = { queryServers: false }
  if (running.config.agentId !== (await agentOfCall(tx, session.sessionKey, toolCallId)))
    return toolsOfCall(tx, session, toolCallId, [], how)
  return agentTools(
    tx,
    session,
    await resolveAgent(tx, applyOverlay(running.config.chat, running.overlay)),
    [],
    how
  )
}
