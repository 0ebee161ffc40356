import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { authorize } from './authorize.ts'
import { readableByPage } from './cors.ts'
import { enforceRateLimit } from './enforce-rate-limit.ts'
import type { Caller } from './operation.ts'
import type { Params } from './request/read-input.ts'
import { type ErrorWriter, withErrorResponse } from './response/with-error-response.ts'
import { withRequestSlot } from './with-request-slot.ts'

/** Handles the requests of one endpoint. */
export type Handler = (request: Request, params: Params) => Promise<Response>

/** A request whose caller is authorized. */
export type RequestContext = { request: Request; params: Params; actor: Actor; ctx: Ctx }

/**
 * Result of the checks on path and headers. `link` identifies the target of the request's link, and limits its open
 * requests.
 */
export type Precheck<Input> = { input: Input; link?: string | undefined }

type Steps<Input> = {
  /** Checks the path and headers before the body is read, because reading costs resources. */
  precheck?: (context: RequestContext) => Promise<Precheck<Input>>
  /** Writes the response to a request that is refused. Default: JSON. */
  writeError?: ErrorWriter
  /** A stream takes a place among its reader's streams instead of its open requests. */
  isStream?: boolean
}

/**
 * Makes a handler whose `answer` reads the body and writes the response. `route` and `stream` use it, so every request
 * passes the same checks in this order: credential, origin, role, rate limit, path, open requests and finally the
 * input. An unauthenticated client learns nothing from an error. The handler has the path of its endpoint.
 */
export function raw<Input>(
  endpoint: Caller & { path: string },
  answer: (context: RequestContext, input: Input) => Promise<Response>,
  { precheck, writeError, isStream = false }: Steps<Input> = {}
): Handler & { path: string } {
  const handle = async (request: Request, params: Params) => {
    const actor = await authorize(request, endpoint)
    await enforceRateLimit(actor)
    const context = { request, params, actor, ctx: ctxFor(actor) }
    const checks = await precheck?.(context)
    // Without `precheck`, `answer` ignores its input.
    const respond = () => answer(context, checks?.input as Input)
    return isStream ? respond() : withRequestSlot(actor, checks?.link, respond)
  }
  const { path } = endpoint
  const answerOrReport: Handler = (request, params) =>
    readableByPage(request, endpoint, () =>
      withErrorResponse(request, path, () => handle(request, params), writeError)
    )
  return Object.assign(answerOrReport, { path })
}
