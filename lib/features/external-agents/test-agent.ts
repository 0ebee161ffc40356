import { invalid, notFound } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type { AgentConfig, InAgent } from '@waystation/protocol/agent/agent.ts'
import type { DeliveryAttempt } from '@waystation/protocol/external-agent/delivery.ts'
import { attemptDelivery } from '#lib/deliveries/attempt.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Sends a test message to an external agent, and returns its response. The message is signed like any other, and has the
 * type `test`. It belongs to no session, so nothing is stored and its `callbackUrl` accepts no reply.
 *
 * @throws ApiError `NOT_FOUND`; `INVALID_INPUT` for a chat agent
 */
export async function testAgent(ctx: Ctx, { agentId }: InAgent): Promise<DeliveryAttempt> {
  const { workspaceId } = ctx
  const [agent] = await ctx.sql<{ config: AgentConfig; now: string }[]>`
    select config, clock_timestamp() as now from agents where workspace_id = ${workspaceId} and id = ${agentId}`
  if (agent === undefined) throw notFound('agent', agentId)
  const { config, now } = agent
  if (config.type !== 'external')
    throw invalid('Only external agents receive messages. To test a chat agent, start a session with it.')
  const id = newId('msg')
  const { attempt } = await attemptDelivery(ctx, {
    id: `dlv_${id}`,
    url: config.external.inputUrl,
    workspaceId,
    owner: `agent:${agentId}`,
    body: {
      sessionId: 'test',
      agentId,
      callbackUrl: `${config.external.callbackBaseUrl ?? ctx.ports.origin}/external/sessions/test/messages?token=test`,
      message: { type: 'test', id, text: 'This is a test message. You need not reply.', createdAt: now }
    }
  })
  return attempt
}
