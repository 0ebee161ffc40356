import { runtime } from '#lib/kernel/runtime.ts'
import { clientAddress } from './request/client-address.ts'
import { answerWith } from './response/answer-with.ts'

/**
 * Holds attempts to sign in from one address to their limit: `429 RATE_LIMITED` past it. Only what begins or ends an attempt
 * counts, not next-auth's other questions.
 */
export const limitSignIn =
  (handle: (request: Request) => Promise<Response>) =>
  (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    return answerWith(request, pathname, async () => {
      if (/^\/api\/auth\/(signin|callback)\//.test(pathname)) {
        await runtime().ports.enforceRateLimit('signIn', clientAddress(request.headers))
      }
      return handle(request)
    })
  }
