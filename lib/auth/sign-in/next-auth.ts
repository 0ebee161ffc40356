import { notFound } from '@waystation/base/api-error.ts'
import { log } from '@waystation/base/log.ts'
import { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { identify } from '#lib/auth/identify.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { createSignIn, signInDays } from './create-sign-in.ts'
import { identityFromToken } from './identity-from-token.ts'
import { providerOf } from './providers.ts'
import { sessionCookie } from './session-cookie.ts'
import { type SignInError, signInErrorOf } from './sign-in-error.ts'

/** Why a request to next-auth failed, for the page that then appears. */
const signInErrors = new WeakMap<Request, SignInError>()

/**
 * Handles sign-in and sign-out. A session cookie is an encrypted JWT with the IDs of a user and of a row in `sign_ins`,
 * which `actorFrom` looks up for each request. Each entry of `env.signIn` is one provider.
 */
const { handlers, signIn, signOut } = NextAuth(async (request?: NextRequest) => {
  const { env, ports } = runtime()
  // Only this variable sets next-auth's public origin. Without it, next-auth trusts the request's headers.
  process.env.AUTH_URL = ports.origin
  return {
    secret: env.authSecret,
    trustHost: true,
    basePath: '/api/auth',
    session: { strategy: 'jwt', maxAge: signInDays * 86_400 },
    cookies: { sessionToken: sessionCookie(ports.origin) },
    logger: {
      error(error) {
        const signInError = signInErrorOf(error, request?.url ?? ports.origin)
        if (request !== undefined) signInErrors.set(request, signInError)
        const expected = signInError !== 'misconfigured' || error.name === 'CredentialsSignin'
        log(expected ? 'warn' : 'error', 'a sign-in failed', {
          signInError,
          error,
          ...describeFailure(error, request?.url)
        })
      },
      warn: code => log('warn', 'next-auth warning', { code })
    },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    callbacks: {
      async jwt({ account, profile }) {
        // Only a sign-in has an account. Without this check, next-auth would renew cookies.
        const provider = env.signIn.find(({ provider }) => provider === account?.provider)
        if (provider === undefined) return null
        const identity = identityFromToken(provider, profile ?? {})
        return createSignIn(await identify(identity), { request, email: identity.email })
      }
    },
    events: {
      async signOut(message) {
        const sid = 'token' in message ? message.token?.sid : undefined
        if (typeof sid === 'string') await runtime().sql`delete from sign_ins where id = ${sid}`
      }
    },
    providers: env.signIn.map(providerOf)
  }
})

export { signIn, signOut }

/**
 * The endpoints of next-auth. They always use the public origin, regardless of the request's own. If a sign-in fails,
 * the sign-in page receives the reason.
 */
export const { GET, POST } = { GET: withErrorCode(handlers.GET), POST: withErrorCode(handlers.POST) }

function withErrorCode(handle: (request: NextRequest) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    // This endpoint would renew the cookie, and nothing uses it.
    if (pathname === '/api/auth/session') throw notFound('page', pathname)
    const publicRequest = new NextRequest(new URL(pathname + search, runtime().ports.origin), request)
    const response = await handle(publicRequest)
    const signInError = signInErrors.get(publicRequest)
    const isErrorPage = response.headers.get('location')?.includes('/sign-in?error=')
    if (signInError === undefined || !isErrorPage) return response
    const headers = new Headers(response.headers)
    headers.set('location', `/sign-in?error=${signInError}`)
    return new Response(null, { status: 302, headers })
  }
}

/**
 * Describes a failed sign-in for the log: the root cause, the provider, and the provider's error code (RFC 6749,
 * 4.1.2.1 and 5.2).
 */
function describeFailure(error: Error, requestUrl = '') {
  const url = URL.canParse(requestUrl) ? new URL(requestUrl) : undefined
  const cause = rootCause(error)
  const providerError = 'error' in cause ? cause.error : url?.searchParams.get('error')
  return {
    provider: url?.pathname.split('/').at(-1),
    because:
      typeof providerError === 'string' ? `${cause.message} (${providerError.slice(0, 80)})` : cause.message
  }
}

/** Returns the innermost error, because next-auth wraps it several times. */
function rootCause(error: Error): Error {
  const { err } = (error.cause ?? {}) as { err?: unknown }
  const inner = err ?? error.cause
  return inner instanceof Error ? rootCause(inner) : error
}
