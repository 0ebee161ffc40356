import { ApiError, invalid } from '@waystation/base/api-error.ts'
import type { OverlayState, SetOverlay } from '@waystation/protocol/agent/overlay.ts'
import { inTransaction } from '#db/transaction.ts'
import { agentOfSession } from '#lib/agents/agent-of-session.ts'
import { checkOverlay } from '#lib/agents/overlay/check.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Sets a session's overlay, which changes its copy of the agent's configuration from the next step on. Null removes it.
 * The agent itself, its revisions and its draft do not change (002-8). Open calls keep their configuration, and
 * followers receive an event. Throws `NOT_FOUND` for an unknown session or agent, `INVALID_INPUT` if the result cannot
 * run, and `CONFLICT` while the session is handed to another agent.
 */
export async function setOverlay(ctx: Ctx, { sessionId, overlay }: SetOverlay): Promise<OverlayState> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    if (overlay !== null) {
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
    const overlaid = overlay !== null
    await tx.sql`
      update sessions set overlay = ${overlay}::jsonb where key = ${session.sessionKey}`
    append(tx, session, [{ type: 'session', title: session.title, overlaid }])
    return { sessionId, overlaid }
  })
}
