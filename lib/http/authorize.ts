import { LRUCache } from 'lru-cache'
import { actorFrom } from '#lib/auth/actor-from.ts'
import { bearerOf } from '#lib/auth/bearer.ts'
import { hashOfKey } from '#lib/auth/keys/key-secret.ts'
import { isTokenSecret } from '#lib/auth/tokens/token-secret.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { demand, type Scope } from '#lib/kernel/scope.ts'
import { type Caller, isForTokens } from './operation.ts'
import { checkOrigin, checkPage, ownOrigins } from './request/check-origin.ts'
import { clientAddress } from './request/client-address.ts'

const nobody: Actor = { kind: 'system', name: 'nobody', workspaceId: '' }

/** The hashes of keys and tokens that opened something in this process lately. */
const known = new LRUCache<string, true>({ max: 10_000 })

/**
 * Who is at the door, if they may come in: `401` without a credential that opens something, `403 FOREIGN_ORIGIN` for
 * a change that a browser asks for from elsewhere and for a session token in a page that is not allowed, `403 FORBIDDEN`
 * when their role does not cover it. Session tokens come in where a door says so, and nowhere else. A public door is
 * passed as nobody, of no workspace: a context that finds nothing.
 */
export async function authorize(request: Request, caller: Caller): Promise<Actor> {
  if (caller.actor === 'public') return caller.key === undefined ? nobody : keyOrNobody(request, caller.key)
  return check(request, caller, await callerOf(request))
}

/**
 * Judges whom `authorize` let in again, for as long as they read on. Who belongs to several workspaces stays in the one that they
 * came into: out of it, they are nobody here.
 */
export async function authorizeAgain(
  request: Request,
  caller: Caller,
  { workspaceId }: Pick<Actor, 'workspaceId'>
): Promise<Actor> {
  const actor = await check(request, caller, await actorFrom(request))
  if (actor.workspaceId !== workspaceId)
    throw new Refusal(
      'UNAUTHENTICATED',
      'You are no longer a member of this workspace. Ask an owner to invite you again.'
    )
  return actor
}

/**
 * Who is calling, as `actorFrom`. A key or token that is not known yet is not looked up for a client IP that has got too many
 * `401`s: `429 RATE_LIMITED`. So a client that guesses learns nothing more, and others of the same IP go on.
 */
export async function callerOf(request: Request): Promise<Actor | null> {
  const secret = bearerOf(request)
  const hash = secret && hashOfKey(secret)
  if (hash && !known.has(hash))
    await runtime().ports.enforceRateLimit('unauthenticated', clientAddress(request.headers), 'look')
  const actor = await actorFrom(request)
  if (hash && actor !== null) known.set(hash, true)
  return actor
}

async function check(request: Request, caller: Caller, actor: Actor | null): Promise<Actor> {
  if (actor === null) throw new Refusal('UNAUTHENTICATED', whatToDo(request))
  const { env, ports } = runtime()
  const own = ownOrigins(ports.origin, env.local)
  const changes = request.method !== 'GET' && request.method !== 'HEAD'
  if (changes && actor.kind === 'person') checkOrigin(request, own)
  if (actor.kind === 'subject') {
    await checkPage(request, actor.workspaceId, own)
    if (!isForTokens(caller))
      throw new Refusal(
        'FORBIDDEN',
        'A session token gives access only to its own session. Send an API key for this request.'
      )
  }
  if (caller.actor === 'user') demand(actor, caller.scope)
  return actor
}

/** A wrong key never falls back to the link's own credential. */
async function keyOrNobody(request: Request, scope: Scope): Promise<Actor> {
  if (!request.headers.has('authorization')) return nobody
  const actor = await callerOf(request)
  if (actor?.kind !== 'key')
    throw new Refusal('UNAUTHENTICATED', 'This API key is not valid. Send an API key of this workspace.')
  demand(actor, scope)
  return actor
}

const whatToDo = (request: Request): string =>
  isTokenSecret(bearerOf(request))
    ? 'This session token has expired or was revoked, or its session was deleted. Get a new token.'
    : 'Authentication is required. Sign in, or send an API key of this workspace as "Authorization: Bearer …".'
