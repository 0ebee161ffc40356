import type { Actor } from '#lib/kernel/ctx.ts'
import { bearerOf } from './bearer.ts'
import { keyActor } from './keys/key-actor.ts'
import { personActor } from './person-actor.ts'
import { tokenActor } from './tokens/token-actor.ts'
import { isTokenSecret } from './tokens/token-secret.ts'

/**
 * Who is calling: the one function every route, stream and page asks. An `Authorization` header decides alone, so a
 * wrong key or token never falls back to a cookie. `Waystation-Workspace` names one of a person's workspaces; naming one
 * that the caller does not belong to is the same as having no credential at all.
 */
export async function actorFrom(request: Request): Promise<Actor | null> {
  const workspaceId = request.headers.get('waystation-workspace')
  if (!request.headers.has('authorization')) return personActor(request, workspaceId)
  const secret = bearerOf(request)
  if (secret === undefined) return null
  const actor = isTokenSecret(secret) ? await tokenActor(secret) : await keyActor(secret)
  return workspaceId === null || actor?.workspaceId === workspaceId ? actor : null
}
