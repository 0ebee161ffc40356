import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { authorize } from './authorize.ts'
import { readableByPage } from './cors.ts'
import { enforceRateLimit } from './enforce-rate-limit.ts'
import type { Caller } from './operation.ts'
import type { Params } from './request/read-input.ts'
import { answerWith, type Refuse } from './response/answer-with.ts'
import { whileHeld } from './while-held.ts'

/** Handles the requests of one endpoint. */
export type Handler = (request: Request, params: Params) => Promise<Response>

/** A request whose caller is authorized. */
export type Asked = { request: Request; params: Params; actor: Actor; ctx: Ctx }

/**
 * Result of the checks on path and headers. `link` identifies the target of the request's link, and limits its open
 * requests.
 */
export type Judged<Input> = { input: Input; link?: string | undefined }

type Steps<Input> = {
  /** Checks the path and headers before the body is read, because reading costs resources. */
  judge?: (context: Asked) => Promise<Judged<Input>>
  /** Writes the response to a request that is refused. Default: JSON. */
  refuse?: Refuse
  /** A stream takes a place among its reader's streams instead of its open requests. */
  isStream?: boolean
}

/**
 * Makes a handler whose `answer` reads the body and writes the response. `route` and `stream` use it, so every request
 * passes the same checks in this order: credential, origin, role, rate limit, path, open requests and finally the
 * input. An unauthenticated client learns nothing from an error.
 */
export function raw<Input>(
  endpoint: Caller & { path: string },
  answer: (context: Asked, input: Input) => Promise<Response>,
  { judge, refuse, isStream = false }: Steps<Input> = {}
): Handler {
  const handle = async (request: Request, params: Params) => {
    const actor = await authorize(request, endpoint)
    await enforceRateLimit(actor)
    const context = { request, params, actor, ctx: ctxFor(actor) }
    const checks = await judge?.(context)
    // Without `judge`, `answer` ignores its input.
    const respond = () => answer(context, checks?.input as Input)
    return isStream ? respond() : whileHeld(actor, checks?.link, respond)
  }
  return (request, params) =>
    readableByPage(request, endpoint, () =>
      answerWith(request, endpoint.path, () => handle(request, params), refuse)
    )
}
