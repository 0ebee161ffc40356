import { authorize, authorizeAgain } from '#lib/http/authorize.ts'
import { enforceRateLimit } from '#lib/http/enforce-rate-limit.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'

/** What is asked on a socket, by the operation that it would be over HTTP. */
const asked = {
  follow: sessionOperations.follow,
  send: sessionOperations.send,
  tell: outOfBandOperations.send,
  answer: callOperations.answer,
  cancel: sessionOperations.cancel
}

/**
 * Who asks on a socket, judged anew for each frame as at the door of the same call; refuses like that. Who belongs to several
 * workspaces stays in the one that they came into: out of it, they are nobody here. The hello counts against the limit of
 * whoever asks; `count` counts each frame after it. `look` judges whether they may still follow.
 */
export type Admit = ((what: keyof typeof asked) => Promise<Ctx>) & {
  count: () => Promise<void>
  look: () => Promise<unknown>
}

/**
 * The credential is the `token` of the hello (a session token or an API key: a browser cannot give a socket headers), else
 * what the upgrade request had. A socket changes things, so a cookie is good only from a page of ours (RFC 6455, 10.2).
 */
export function frameAuthorizer(request: Request, token: string | undefined): Admit {
  const headers = new Headers(request.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const judged = new Request(request.url, { method: 'POST', headers })
  let first: Actor | undefined
  const admitFrame = async (what: keyof typeof asked) => {
    const actor = first
      ? await authorizeAgain(judged, asked[what], first)
      : await authorize(judged, asked[what])
    if (first === undefined) await enforceRateLimit(actor)
    first ??= actor
    return ctxFor(actor)
  }
  const look = async () => first && authorizeAgain(judged, asked.follow, first)
  const count = async () => {
    if (first) await enforceRateLimit(first)
  }
  return Object.assign(admitFrame, { count, look })
}
