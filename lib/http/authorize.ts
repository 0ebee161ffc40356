import { ApiError } from '@waystation/base/api-error.ts'
import { LRUCache } from 'lru-cache'
import { actorFrom } from '#lib/auth/actor-from.ts'
import { bearerOf } from '#lib/auth/bearer.ts'
import { hashOfKey } from '#lib/auth/keys/key-secret.ts'
import { isTokenSecret } from '#lib/auth/tokens/token-secret.ts'
import type { Actor } from '#lib/kernel/ctx.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { demand, type Scope } from '#lib/kernel/scope.ts'
import { type Caller, isForTokens } from './operation.ts'
import { checkOrigin, checkTokenOrigin, ownOrigins } from './request/check-origin.ts'
import { clientAddress } from './request/client-address.ts'

const anonymous: Actor = { kind: 'system', name: 'nobody', workspaceId: '' }

/** Hashes of the keys and tokens that recently authenticated in this process. */
const knownHashes = new LRUCache<string, true>({ max: 10_000 })

/**
 * Authenticates a request and checks that its caller has permission. Throws:
 * - `UNAUTHENTICATED` without a valid credential
 * - `FOREIGN_ORIGIN` if a browser sends a change from another origin, or a session token from an origin that is not
 *   allowed
 * - `FORBIDDEN` if the caller's role does not cover the scope, or a session token calls an endpoint without `tokens`
 * For a public endpoint, it returns an anonymous actor without a workspace. Queries in that actor's context find no
 * rows.
 */
export async function authorize(request: Request, caller: Caller): Promise<Actor> {
  if (caller.actor === 'public')
    return caller.key === undefined ? anonymous : keyOrAnonymous(request, caller.key)
  return checkActor(request, caller, await callerOf(request))
}

/**
 * Authorizes the caller of an open stream or socket again. The caller must still be in the workspace where they
 * started, even if they are a member of several workspaces. If they are not, it throws `UNAUTHENTICATED`.
 */
export async function authorizeAgain(
  request: Request,
  caller: Caller,
  { workspaceId }: Pick<Actor, 'workspaceId'>
): Promise<Actor> {
  const actor = await checkActor(request, caller, await actorFrom(request))
  if (actor.workspaceId !== workspaceId)
    throw new ApiError(
      'UNAUTHENTICATED',
      'You are no longer a member of this workspace. Ask an owner to invite you again.'
    )
  return actor
}

/**
 * Returns the caller of a request, as `actorFrom`. If a client IP had too many `401` responses, unknown keys and tokens
 * are refused with `RATE_LIMITED` before the lookup. A client that guesses learns nothing, and known callers of the
 * same IP continue.
 */
export async function callerOf(request: Request): Promise<Actor | null> {
  const secret = bearerOf(request)
  const hash = secret && hashOfKey(secret)
  if (hash && !knownHashes.has(hash))
    await runtime().ports.enforceRateLimit('unauthenticated', clientAddress(request.headers), 'look')
  const actor = await actorFrom(request)
  if (hash && actor !== null) knownHashes.set(hash, true)
  return actor
}

async function checkActor(request: Request, caller: Caller, actor: Actor | null): Promise<Actor> {
  if (actor === null) throw new ApiError('UNAUTHENTICATED', unauthenticatedMessage(request))
  const { env, ports } = runtime()
  const own = ownOrigins(ports.origin, env.local)
  const changes = request.method !== 'GET' && request.method !== 'HEAD'
  if (changes && actor.kind === 'person') checkOrigin(request, own)
  if (actor.kind === 'subject') {
    await checkTokenOrigin(request, actor.workspaceId, own)
    if (!isForTokens(caller))
      throw new ApiError(
        'FORBIDDEN',
        'A session token gives access only to its own session. Send an API key for this request.'
      )
  }
  if (caller.actor === 'user') demand(actor, caller.scope)
  return actor
}

/** An invalid key is refused. It never falls back to the credential in the link. */
async function keyOrAnonymous(request: Request, scope: Scope): Promise<Actor> {
  if (!request.headers.has('authorization')) return anonymous
  const actor = await callerOf(request)
  if (actor?.kind !== 'key')
    throw new ApiError('UNAUTHENTICATED', 'This API key is not valid. Send an API key of this workspace.')
  demand(actor, scope)
  return actor
}

const unauthenticatedMessage = (request: Request): string =>
  isTokenSecret(bearerOf(request))
    ? 'This session token has expired or was revoked, or its session was deleted. Get a new token.'
    : 'Authentication is required. Sign in, or send an API key of this workspace as "Authorization: Bearer …".'
