import { ApiError } from '@waystation/base/api-error.ts'
import type { HttpRequest } from '@waystation/protocol/connection/http-request.ts'
import type { ServiceResponse } from '@waystation/protocol/external-agent/calls.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { auditCall } from './audit-call.ts'
import { type CallRef, findCall } from './find-call.ts'

/**
 * Sends a request to a service for an external agent, with the account that a person connected for its call. The agent
 * never sees the credential. Each request is in the audit log.
 *
 * @throws ApiError `NOT_ANSWERABLE` if the call asked for something else; `CONFLICT` if no account is connected, or it was
 * revoked; `FORBIDDEN`, `INVALID_INPUT`, `UNAVAILABLE`, `RATE_LIMITED`
 */
export async function fetchWithAccount(
  ctx: Ctx,
  ref: CallRef,
  request: HttpRequest
): Promise<ServiceResponse> {
  const call = await findCall(ctx, ref)
  if (call.kind !== 'connection')
    throw new ApiError('NOT_ANSWERABLE', 'This call did not ask for a connection.')
  const { result, sessionKey, toolCallId, agentName, messageId } = call
  const output = result?.type === 'output' ? result.value : undefined
  if (!isJsonObject(output) || output.connected !== true)
    throw new ApiError('CONFLICT', 'No account is connected for this call. Wait until it is settled.')
  await ctx.ports.enforceRateLimit('accountRequest', `${sessionKey} ${toolCallId}`)
  const agent = { kind: 'system', name: agentName, workspaceId: ref.workspaceId } as const
  const ctxOfAgent = { ...ctx, workspaceId: ref.workspaceId, actor: agent }
  await auditCall(ctx, {
    ...ref,
    agentName,
    action: 'account.used',
    credential: 'link',
    messageId,
    toolName: `${request.method} ${new URL(request.url).host}`
  })
  return ctxOfAgent.ports.accountRequests.send(ctxOfAgent, call, request)
}
