import { runtime } from '#lib/kernel/runtime.ts'
import { clientAddress } from './request/client-address.ts'
import { withErrorResponse } from './response/with-error-response.ts'

/**
 * Limits sign-in attempts per client IP. Throws `RATE_LIMITED` over the limit. Only requests that start or finish an
 * attempt count, not next-auth's other requests.
 */
export const limitSignIn =
  (handle: (request: Request) => Promise<Response>) =>
  (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    return withErrorResponse(request, pathname, async () => {
      if (/^\/api\/auth\/(signin|callback)\//.test(pathname)) {
        await runtime().ports.enforceRateLimit('signIn', clientAddress(request.headers))
      }
      return handle(request)
    })
  }
