import { bearerOf } from '#lib/auth/bearer.ts'
import { anyAllowsOrigin } from '#lib/auth/tokens/allowed-origins.ts'
import { isTokenSecret } from '#lib/auth/tokens/token-secret.ts'
import { type Caller, isForTokens } from './operation.ts'
import { canReadCrossOrigin } from './request/check-origin.ts'
import { withErrorResponse } from './response/with-error-response.ts'

/**
 * Adds CORS headers (Fetch standard, 3.2) so that a page of another site can read the response to its session token.
 * Only origins that the token's workspace allows get them. An invalid token has no workspace, so any allowed origin can
 * read the `401` or `429` and then get a new token. Responses never allow credentials, because such pages have no use
 * for a cookie.
 */
export async function readableByPage(
  request: Request,
  endpoint: Caller & { path: string },
  answer: () => Promise<Response>
): Promise<Response> {
  const response = await answer()
  const origin = request.headers.get('origin')
  if (origin === null || !isForTokens(endpoint) || !isTokenSecret(bearerOf(request))) return response
  return withErrorResponse(request, endpoint.path, async () => {
    response.headers.append('vary', 'Origin')
    const isUnauthenticated = response.status === 401 || response.status === 429
    if (canReadCrossOrigin(request) || (isUnauthenticated && (await anyAllowsOrigin(origin)))) {
      response.headers.set('access-control-allow-origin', origin)
      response.headers.set('access-control-expose-headers', 'retry-after, waystation-uptime')
    }
    return response
  })
}

/**
 * Answers a preflight (`OPTIONS`) request for an operation that accepts session tokens. A preflight carries no token,
 * so any origin that some workspace allows is accepted. The request itself then checks the workspace. Other origins get
 * no CORS headers, so their browser does not send the request.
 */
export const preflight = (request: Request): Promise<Response> =>
  withErrorResponse(request, new URL(request.url).pathname, async () => {
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
