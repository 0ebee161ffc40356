import { newId } from '@waystation/base/ids.ts'
import type { TestHttpTool } from '@waystation/protocol/agent/http-tool.ts'
import type { DeliveryAttempt } from '@waystation/protocol/external-agent/delivery.ts'
import { attemptDelivery } from '#lib/deliveries/attempt.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** How long a test call is open, in milliseconds. */
const openMs = 60_000

/**
 * Sends a test call to an HTTP tool, and returns its response. The call is signed like any other, and has the field
 * `test`. It belongs to no session, so its `answerUrl` accepts no answer.
 */
export async function testTool(
  ctx: Ctx,
  { url, name, agentId, input }: TestHttpTool
): Promise<DeliveryAttempt> {
  const id = newId('call')
  const { attempt } = await attemptDelivery(ctx, {
    id: `dlv_${id}`,
    url,
    workspaceId: ctx.workspaceId,
    owner: `agent:${agentId}`,
    body: {
      type: 'call.opened',
      test: true,
      sessionId: 'test',
      agentId,
      toolCallId: id,
      toolName: name,
      input,
      answerUrl: `${ctx.ports.origin}/external/calls/test`,
      deadline: new Date(Date.now() + openMs).toISOString()
    }
  })
  return attempt
}
