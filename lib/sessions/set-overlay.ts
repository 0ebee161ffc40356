import { ApiError, invalid } from '@waystation/base/api-error.ts'
import type { AgentOverlay } from '@waystation/protocol/agent/agent.ts'
import type { OverlayState, SetOverlay } from '@waystation/protocol/agent/overlay.ts'
import { inTransaction } from '#db/transaction.ts'
import { agentOfSession } from '#lib/agents/agent-of-session.ts'
import { hasBuildKit, withBuildKit, withoutBuildKit } from '#lib/agents/overlay/build-kit.ts'
import { checkOverlay } from '#lib/agents/overlay/check.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Sets a session's overlay, which changes its copy of the agent's configuration from the next step on. Null removes it.
 * `buildKit` adds the build kit to the overlay that the session has, or removes only the kit from it.
 * The agent itself, its revisions and its draft do not change (002-8). Open calls keep their configuration, and
 * followers receive an event. Throws `NOT_FOUND` for an unknown session or agent, `INVALID_INPUT` if the result cannot
 * run, and `CONFLICT` while the session is handed to another agent.
 */
export async function setOverlay(ctx: Ctx, { sessionId, ...input }: SetOverlay): Promise<OverlayState> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    const overlay =
      input.buildKit === undefined
        ? (input.overlay ?? null)
        : (input.buildKit ? withBuildKit : withoutBuildKit)(await overlayOf(tx, session.sessionKey))
    // Removing the kit adds nothing that could be invalid.
    if (overlay !== null && input.buildKit !== false) {
      const agent = await agentOfSession(tx, session)
      if (agent.agentId !== session.agentId)
        throw new ApiError(
          'CONFLICT',
          `${agent.displayName} has taken over this session, and an overlay applies only to the session's own agent. Hand the session back first.`
        )
      if (agent.type !== 'chat')
        throw invalid(`${agent.displayName} is an external agent, which cannot have an overlay.`)
      await checkOverlay(tx, agent.chat, overlay)
    }
    const state = { overlaid: overlay !== null, buildKit: hasBuildKit(overlay) }
    await tx.sql`
      update sessions set overlay = ${overlay}::jsonb where key = ${session.sessionKey}`
    append(tx, session, [{ type: 'session', title: session.title, ...state }])
    return { sessionId, ...state }
  })
}

async function overlayOf(tx: Ctx, sessionKey: number): Promise<AgentOverlay | null> {
  const [row] = await tx.sql<{ overlay: AgentOverlay | null }[]>`
    select overlay from sessions where key = ${sessionKey}`
  return row?.overlay ?? null
}
