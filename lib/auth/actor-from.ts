import type { Actor } from '#lib/kernel/ctx.ts'
import { keyActor } from './key-actor.ts'
import { personActor } from './person-actor.ts'

/**
 * Who is calling: the one function every route, stream and page asks. An `Authorization` header decides alone, so a
 * wrong key never falls back to a cookie. `Waystation-Workspace` names one of a person's workspaces; naming one that
 * the caller does not belong to is the same as having no credential at all.
 */
export async function actorFrom(request: Request): Promise<Actor | null> {
  const workspaceId = request.headers.get('waystation-workspace')
  const authorization = request.headers.get('authorization')
  if (authorization === null) return personActor(request, workspaceId)
  const [, secret] = /^bearer +(\S+)$/i.exec(authorization) ?? []
  const actor = secret === undefined ? null : await keyActor(secret)
  return workspaceId === null || actor?.workspaceId === workspaceId ? actor : null
}
