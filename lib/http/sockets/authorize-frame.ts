import { authorize, authorizeAgain } from '#lib/http/authorize.ts'
import { enforceRateLimit } from '#lib/http/enforce-rate-limit.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'

/** The HTTP operation that corresponds to each action on a socket. */
const operationOf = {
  follow: sessionOperations.follow,
  send: sessionOperations.send,
  tell: outOfBandOperations.send,
  answer: callOperations.answer,
  cancel: sessionOperations.cancel
}

/**
 * Authorizes each frame again, like the same request over HTTP, and throws the same errors. The sender must stay in the
 * workspace where they started, even if they are a member of several. The hello counts against the sender's rate limit,
 * and `count` counts each later frame. `look` checks that they can still follow the session.
 */
export type FrameAuthorizer = ((what: keyof typeof operationOf) => Promise<Ctx>) & {
  count: () => Promise<void>
  look: () => Promise<unknown>
}

/**
 * Makes the authorizer of a socket's frames. The credential is the hello's `token` (a session token or API key),
 * because a browser cannot set headers on a socket. Without a token, the upgrade request's credential is used. A socket
 * can make changes, so a cookie works only from our own pages (RFC 6455, 10.2).
 */
export function frameAuthorizer(request: Request, token: string | undefined): FrameAuthorizer {
  const headers = new Headers(request.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const postRequest = new Request(request.url, { method: 'POST', headers })
  let firstActor: Actor | undefined
  const admitFrame = async (what: keyof typeof operationOf) => {
    const actor = firstActor
      ? await authorizeAgain(postRequest, operationOf[what], firstActor)
      : await authorize(postRequest, operationOf[what])
    if (firstActor === undefined) await enforceRateLimit(actor)
    firstActor ??= actor
    return ctxFor(actor)
  }
  const look = async () => firstActor && authorizeAgain(postRequest, operationOf.follow, firstActor)
  const count = async () => {
    if (firstActor) await enforceRateLimit(firstActor)
  }
  return Object.assign(admitFrame, { count, look })
}
