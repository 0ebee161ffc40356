import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { ToolError } from '@waystation/base/known-error.ts'
import { OutboundError, type OutboundResponse } from '@waystation/egress'
import type { HttpRequest } from '@waystation/protocol/connection/http-request.ts'
import type { ServiceResponse } from '@waystation/protocol/external-agent/calls.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import { connectionOf } from '#lib/engine/calls/connection-call.ts'
import { accountOfCall } from '#lib/features/connections/account-of-call.ts'
import { fetchAs } from '#lib/features/connections/fetch-as.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ConnectionNeeded, ConsentNeeded } from '#lib/kernel/ports/connection-needed.ts'
import { isTextType, mediaTypeOf } from '#lib/tools/media-type.ts'
import { sendRequest } from './send-request.ts'
import { reachableServices } from './services.ts'

/**
 * Sends a request with the account that a settled call asked for. It reaches only the origins of that integration, and
 * the response never contains the credential. The account is read for each request, so revoking it ends them.
 *
 * @throws ApiError `CONFLICT` if the account cannot be used; `FORBIDDEN` if its owner has not agreed;
 * `INVALID_INPUT` for another URL; `UNAVAILABLE` if the service does not respond
 */
export async function requestForCall(
  ctx: Ctx,
  call: CallRow & { generation: number },
  request: HttpRequest
): Promise<ServiceResponse> {
  const { integration, slug } = connectionOf(call)
  const methods = [request.method]
  const [service] = await reachableServices(ctx, [{ integration, slug, methods }])
  if (service === undefined)
    throw new ApiError('CONFLICT', `Requests with an account of "${integration}" are not possible.`)
  if (!service.origins.includes(new URL(request.url).origin))
    throw invalid(`This account can be used only at ${service.origins.join(', ')}.`, {
      url: 'is not a URL of this service'
    })
  const account = accountOfCall(call)
  const agreed = account !== null && call.answerer?.id === account.id
  const requester = {
    sessionKey: call.sessionKey,
    generation: call.generation,
    account: account && { ...account, approved: account.approved || agreed }
  }
  try {
    const { response } = await sendRequest(
      service,
      request,
      fetchAs(ctx, requester, ctx.ports.fetch)(slug, integration)
    )
    return wireResponse(response)
  } catch (error) {
    throw asApiError(error)
  }
}

function wireResponse(response: OutboundResponse): ServiceResponse {
  const { status, url, body } = response
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie'))
  const text = isTextType(mediaTypeOf(response)) ? response.text().toWellFormed() : undefined
  const content = text === undefined ? { base64: Buffer.from(body).toString('base64') } : { text }
  return { status, url, headers, ...(body.length === 0 ? {} : content) }
}

function asApiError(error: unknown): unknown {
  if (error instanceof ConnectionNeeded)
    return new ApiError('CONFLICT', `${error.message} Open another call to ask for the account again.`)
  if (error instanceof ConsentNeeded)
    return new ApiError('FORBIDDEN', `${error.message} Open an approval, which they can answer.`)
  if (error instanceof ToolError) return invalid(error.message)
  if (!(error instanceof OutboundError)) return error
  return error.code === 'BAD_URL' || error.code === 'BLOCKED_TARGET'
    ? invalid(error.message, { url: error.message })
    : new ApiError('UNAVAILABLE', error.message)
}
