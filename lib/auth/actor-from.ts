import type { Actor } from '#lib/kernel/ctx.ts'
import { bearerOf } from './bearer.ts'
import { keyActor } from './keys/key-actor.ts'
import { personActor } from './person-actor.ts'
import { tokenActor } from './tokens/token-actor.ts'
import { isTokenSecret } from './tokens/token-secret.ts'

/**
 * Returns the caller of a request, or null without a valid credential. If there is an `Authorization` header, it alone
 * decides, so an invalid key or token never falls back to a cookie. `Waystation-Workspace` selects one of the caller's
 * workspaces. If the caller is not in it, the credential is not valid.
 */
export async function actorFrom(request: Request): Promise<Actor | null> {
  const workspaceId = request.headers.get('waystation-workspace')
  if (!request.headers.has('authorization')) return personActor(request, workspaceId)
  const secret = bearerOf(request)
  if (secret === undefined) return null
  const actor = isTokenSecret(secret) ? await tokenActor(secret) : await keyActor(secret)
  return workspaceId === null || actor?.workspaceId === workspaceId ? actor : null
}
