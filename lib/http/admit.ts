import { actorFrom } from '#lib/auth/actor-from.ts'
import { demand } from '#lib/auth/scope.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { house } from '#lib/kernel/house.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { checkOrigin, ownOrigins } from './check-origin.ts'
import type { Caller } from './operation.ts'

const nobody: Actor = { kind: 'system', name: 'nobody', workspaceId: '' }

/**
 * Who is at the door, if they may come in: `401` without a credential that opens something, `403 FOREIGN_ORIGIN` for
 * a change that a browser asks for from elsewhere, `403 FORBIDDEN` when their role does not cover it. A public door
 * is passed as nobody, of no workspace: a context that finds nothing.
 */
export async function admit(request: Request, caller: Caller): Promise<Actor> {
  if (caller.actor === 'public') return nobody
  const actor = await actorFrom(request)
  if (actor === null)
    throw new Refusal(
      'UNAUTHENTICATED',
      'Sign in, or send an API key of this workspace as "Authorization: Bearer …".'
    )
  const { env, ports } = house()
  const changes = request.method !== 'GET' && request.method !== 'HEAD'
  if (changes && actor.kind === 'person') checkOrigin(request, ownOrigins(ports.origin, env.local))
  demand(actor, caller.scope)
  return actor
}
