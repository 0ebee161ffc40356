import type { ExternalAgent } from '@waystation/protocol/agent/agent.ts'
import { wireDelivery } from '#lib/deliveries/delivery-row.ts'
import { createDelivery } from '#lib/deliveries/open.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { callbackUrl, callsUrl, linkSecretOf, scopeOf } from '#lib/features/external-agents/callback-link.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { viewCall } from './view-call.ts'

/**
 * Sends the outcome of a call to the external agent that opened it, in the transaction that settles the call. It is
 * retried for 24 hours, and then stays as a failed delivery. The agent's `retries` do not apply. The agent can be one
 * that no longer speaks in the session. Does nothing if it was deleted. Needs the session's lock.
 */
export async function deliverSettled(tx: Ctx, session: LockedSession, call: CallRow): Promise<void> {
  const { sessionKey, sessionId, workspaceId } = session
  const [agent] = await tx.sql<ExternalAgent['external'][] & { agentId: string }[]>`
    select a.id as agent_id, a.config -> 'external' ->> 'inputUrl' as input_url,
      a.config -> 'external' ->> 'callbackBaseUrl' as callback_base_url
    from agents a
    where a.workspace_id = ${workspaceId} and a.config ->> 'type' = 'external' and a.id = (
      select coalesce(m.message -> 'metadata' ->> 'agentId', ${session.agentId}) from messages m
      where m.session_key = ${sessionKey} and m.id = ${call.messageId})`
  const secret = await linkSecretOf(tx, workspaceId)
  if (agent === undefined || secret === undefined) return
  const { agentId, inputUrl, callbackBaseUrl } = agent as ExternalAgent['external'] & { agentId: string }
  const base = callbackBaseUrl ?? tx.ports.origin
  const scope = scopeOf(session, agentId)
  const { toolCallId } = call
  const { deadline: _, ...settled } = viewCall(call)
  const delivery = await createDelivery(tx, {
    id: `dlv_${sessionKey}_${toolCallId}`,
    workspaceId,
    sessionKey,
    kind: 'call.settled',
    toolCallId,
    url: inputUrl,
    body: {
      sessionId,
      agentId,
      callbackUrl: callbackUrl(base, secret, sessionId, scope),
      callsUrl: callsUrl(base, secret, sessionId, scope),
      message: { type: 'call.settled', ...settled, createdAt: call.settledAt }
    },
    retries: 0
  })
  if (delivery !== undefined) append(tx, session, [{ type: 'delivery', delivery: wireDelivery(delivery) }])
}
