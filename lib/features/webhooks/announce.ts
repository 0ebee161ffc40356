import type { CallTarget } from '#db/schema/calls.ts'
import { inTransaction } from '#db/transaction.ts'
import { createDelivery } from '#lib/deliveries/open.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { answerUrl } from './answer-links/answer-link.ts'

type OpenCall = {
  workspaceId: string
  sessionId: string
  agentId: string
  generation: number
  toolName: string
  input: unknown
  deadline: string
  target: CallTarget | null
  secret: string
}

/**
 * Opens the delivery that sends an opened call to its external tool (api.md "External tools"). The
 * `answerUrl` contains a capability, so a plain POST settles the call at any time. Idempotent: a call has one
 * delivery.
 */
export async function sendCallOpened(
  ctx: Ctx,
  { sessionKey, toolCallId }: { sessionKey: number; toolCallId: string }
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const [call] = await tx.sql<OpenCall[]>`
      select c.workspace_id, s.id as session_id, s.agent_id, c.generation, c.target,
        c.tool_name, coalesce(c.edited_input, c.input) as input, c.deadline, w.link_secret as secret
      from calls c join sessions s on s.key = c.session_key join workspaces w on w.id = c.workspace_id
      where c.session_key = ${sessionKey} and c.tool_call_id = ${toolCallId} and c.state = 'open' and c.kind = 'external'`
    if (call === undefined || call.target === null) return
    const { target, secret, workspaceId, generation, deadline, ...rest } = call
    const body = {
      type: 'call.opened',
      toolCallId,
      ...rest,
      answerUrl: answerUrl(tx.ports.origin, secret, { workspaceId, sessionKey, generation, toolCallId }),
      deadline: new Date(deadline).toISOString()
    }
    await createDelivery(tx, {
      id: `dlv_${sessionKey}_${toolCallId}`,
      workspaceId,
      sessionKey,
      kind: 'call.opened',
      toolCallId,
      url: target.url,
      body,
      retries: target.retries
    })
  })
}
