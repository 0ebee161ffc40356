import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { authorize } from './authorize.ts'
import { readableByPage } from './cors.ts'
import { enforceRateLimit } from './enforce-rate-limit.ts'
import type { Caller } from './operation.ts'
import type { Params } from './request/read-input.ts'
import { answerWith, type Refuse } from './response/answer-with.ts'
import { whileHeld } from './while-held.ts'

/** Answers the requests of one endpoint. */
export type Handler = (request: Request, params: Params) => Promise<Response>

/** A request whose caller was admitted. */
export type Asked = { request: Request; params: Params; actor: Actor; ctx: Ctx }

/** What the path and the headers ask for. `link` names what the request's link is for; its open requests are counted by it. */
export type Judged<Input> = { input: Input; link?: string | undefined }

type Steps<Input> = {
  /** Judges what the request asks for before a byte of its body is read: reading is work. */
  judge?: (asked: Asked) => Promise<Judged<Input>>
  /** Writes the response to a request that is refused. Default: JSON. */
  refuse?: Refuse
  /** A stream has a place among its reader's streams instead of one among their open requests. */
  isStream?: boolean
}

/**
 * Makes a handler whose `answer` reads the body and writes the response. `route` and `stream` are made of it, so every
 * request takes the same steps: credential, origin, role, rate limit, what the path asks for, the number of open requests,
 * and only then the input. A stranger learns nothing from the errors of their request.
 */
export function raw<Input>(
  endpoint: Caller & { path: string },
  answer: (asked: Asked, input: Input) => Promise<Response>,
  { judge, refuse, isStream = false }: Steps<Input> = {}
): Handler {
  const work = async (request: Request, params: Params) => {
    const actor = await authorize(request, endpoint)
    await enforceRateLimit(actor)
    const asked = { request, params, actor, ctx: ctxFor(actor) }
    const judged = await judge?.(asked)
    // Without a judge, `answer` takes no input.
    const answered = () => answer(asked, judged?.input as Input)
    return isStream ? answered() : whileHeld(actor, judged?.link, answered)
  }
  return (request, params) =>
    readableByPage(request, endpoint, () =>
      answerWith(request, endpoint.path, () => work(request, params), refuse)
    )
}
