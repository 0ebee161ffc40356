import { admit } from '#lib/http/admit.ts'
import { heedLimit } from '#lib/http/heed-limit.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/house.ts'
import { Refusal } from '#lib/kernel/refusal.ts'

/** What is asked on a socket, by the operation that it would be over HTTP; `look`: whether one may still follow. */
const asked = {
  follow: sessionOperations.follow,
  look: sessionOperations.follow,
  send: sessionOperations.send,
  tell: outOfBandOperations.send,
  answer: callOperations.answer,
  cancel: sessionOperations.cancel
}

/**
 * Who asks on a socket, judged anew for each frame as at the door of the same call; refuses like that. Who belongs to several
 * workspaces stays in the one that they came into: out of it, they are nobody here.
 */
export type Admit = (what: keyof typeof asked) => Promise<Ctx>

/**
 * The credential is the `token` of the hello (a session token or an API key: a browser cannot give a socket headers), else
 * what the upgrade request had. A socket changes things, so a cookie is good only from a page of ours (RFC 6455, 10.2).
 */
export function admitterOf(request: Request, token: string | undefined): Admit {
  const headers = new Headers(request.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const judged = new Request(request.url, { method: 'POST', headers })
  let workspaceId: string | undefined
  return async what => {
    const actor = await admit(judged, asked[what])
    workspaceId ??= actor.workspaceId
    if (actor.workspaceId !== workspaceId)
      throw new Refusal('UNAUTHENTICATED', 'You are no member of this workspace any more.')
    if (what !== 'look') await heedLimit(actor)
    return ctxFor(actor)
  }
}
