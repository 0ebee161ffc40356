import { actorFrom } from '#lib/auth/actor-from.ts'
import { bearerOf } from '#lib/auth/bearer.ts'
import { isTokenSecret } from '#lib/auth/token-secret.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { house } from '#lib/kernel/house.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { demand } from '#lib/kernel/scope.ts'
import { checkOrigin, checkPage, ownOrigins } from './check-origin.ts'
import { type Caller, isForTokens } from './operation.ts'

const nobody: Actor = { kind: 'system', name: 'nobody', workspaceId: '' }

/**
 * Who is at the door, if they may come in: `401` without a credential that opens something, `403 FOREIGN_ORIGIN` for
 * a change that a browser asks for from elsewhere and for a session token in a page that is not allowed, `403 FORBIDDEN`
 * when their role does not cover it. Session tokens come in where a door says so, and nowhere else. A public door is
 * passed as nobody, of no workspace: a context that finds nothing.
 */
export async function admit(request: Request, caller: Caller): Promise<Actor> {
  if (caller.actor === 'public') return nobody
  const actor = await actorFrom(request)
  if (actor === null) throw new Refusal('UNAUTHENTICATED', whatToDo(request))
  const { env, ports } = house()
  const own = ownOrigins(ports.origin, env.local)
  const changes = request.method !== 'GET' && request.method !== 'HEAD'
  if (changes && actor.kind === 'person') checkOrigin(request, own)
  if (actor.kind === 'subject') {
    await checkPage(request, actor.workspaceId, own)
    if (!isForTokens(caller))
      throw new Refusal('FORBIDDEN', 'A session token opens its own session, and this is not for it.')
  }
  demand(actor, caller.scope)
  return actor
}

const whatToDo = (request: Request): string =>
  isTokenSecret(bearerOf(request))
    ? 'This session token opens nothing: it has run out or was revoked, or its session was deleted. Get a new one.'
    : 'Sign in, or send an API key of this workspace as "Authorization: Bearer …".'
