import type { ExternalCall } from '@waystation/protocol/external-agent/calls.ts'
import { cancelCall } from '#lib/engine/calls/cancel.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type CallRef, findCall } from './find-call.ts'
import { viewCall } from './view-call.ts'

/**
 * Cancels an open call of an external agent. Repeating it returns the same response.
 *
 * @throws ApiError `ALREADY_SETTLED` if it was answered or has expired; `NOT_FOUND`
 */
export async function cancelExternalCall(ctx: Ctx, ref: CallRef): Promise<ExternalCall> {
  const { agentName } = await findCall(ctx, ref)
  const { workspaceId, sessionId, toolCallId } = ref
  const agent = { kind: 'system', name: agentName, workspaceId } as const
  await cancelCall({ ...ctx, workspaceId, actor: agent }, { sessionId, toolCallId })
  return viewCall(await findCall(ctx, ref))
}
