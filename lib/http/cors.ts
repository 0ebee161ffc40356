import { bearerOf } from '#lib/auth/bearer.ts'
import { anyAllowsOrigin } from '#lib/auth/tokens/allowed-origins.ts'
import { isTokenSecret } from '#lib/auth/tokens/token-secret.ts'
import { type Caller, isForTokens } from './operation.ts'
import { isWelcome } from './request/check-origin.ts'
import { answerWith } from './response/answer-with.ts'

/**
 * Lets a page elsewhere read what its session token was answered (Fetch standard, 3.2 "CORS protocol"): only pages, only
 * tokens, and only from an origin that the token's workspace allows. A token that opens nothing has no workspace: that it
 * is refused (401, or 429 before it was looked up) may be read wherever any workspace lets pages in, so that they can get another one. Never with
 * credentials: a cookie is no help to a page elsewhere.
 */
export async function readableByPage(
  request: Request,
  endpoint: Caller & { path: string },
  answer: () => Promise<Response>
): Promise<Response> {
  const response = await answer()
  const origin = request.headers.get('origin')
  if (origin === null || !isForTokens(endpoint) || !isTokenSecret(bearerOf(request))) return response
  return answerWith(request, endpoint.path, async () => {
    response.headers.append('vary', 'Origin')
    const opensNothing = response.status === 401 || response.status === 429
    if (isWelcome(request) || (opensNothing && (await anyAllowsOrigin(origin)))) {
      response.headers.set('access-control-allow-origin', origin)
      response.headers.set('access-control-expose-headers', 'retry-after, waystation-uptime')
    }
    return response
  })
}

/**
 * What a browser asks before it sends a token from elsewhere: `OPTIONS` of the calls that tokens open. It comes without
 * the token, so it is answered to the origins that any workspace here allows; which one it was, the call itself checks.
 * Other origins are told nothing, and their browser does not go on.
 */
export const preflight = (request: Request): Promise<Response> =>
  answerWith(request, new URL(request.url).pathname, async () => {
    const headers = new Headers({ vary: 'Origin' })
    const origin = request.headers.get('origin')
    if (origin !== null && (await anyAllowsOrigin(origin))) {
      headers.set('access-control-allow-origin', origin)
      headers.set('access-control-allow-methods', 'GET, POST, DELETE')
      headers.set(
        'access-control-allow-headers',
        'authorization, content-type, idempotency-key, last-event-id'
      )
      headers.set('access-control-max-age', '600')
    }
    return new Response(null, { status: 204, headers })
  })
