import { inTransaction } from '#db/transaction.ts'
import { checkOverlay } from '#lib/agents/overlay/check.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import { agentOfSession } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import type { LayOverlay, Overlaid } from '#lib/protocol/agent/overlay.ts'

/**
 * Has a session's turns run on their agent with this laid over a copy of it, from its next step; `null`: on the agent alone
 * again. Its followers see it. What is open keeps what it opened with. The agent, its revisions and its draft stay without it
 * (002-8). Unknown session or agent: `404`; what no turn of it could run: `422`; while another agent
 * speaks in it: `409`.
 */
export async function layOverlay(ctx: Ctx, { sessionId, overlay }: LayOverlay): Promise<Overlaid> {
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, sessionId)
    if (overlay !== null) {
      const agent = await agentOfSession(tx, head)
      if (agent.agentId !== head.agentId)
        throw new Refusal(
          'CONFLICT',
          `${agent.displayName} has taken over this session, and an overlay applies only to the session's own agent. Hand the session back first.`
        )
      if (agent.type !== 'chat')
        throw invalid(`${agent.displayName} is an external agent, which cannot have an overlay.`)
      await checkOverlay(tx, agent.chat, overlay)
    }
    const overlaid = overlay !== null
    await tx.sql`
      update sessions set overlay = ${overlay}::jsonb where key = ${head.sessionKey}`
    await append(tx, head, [{ type: 'session', title: head.title, overlaid }])
    return { sessionId, overlaid }
  })
}
