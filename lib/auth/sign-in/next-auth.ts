import { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { identify } from '#lib/auth/identify.ts'
import { log } from '#lib/kernel/log.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { beginSignIn, signInDays } from './begin-sign-in.ts'
import { identityFromToken } from './identity-from-token.ts'
import { providerOf } from './providers.ts'
import { sessionCookie } from './session-cookie.ts'
import { faultOf, type SignInFault } from './sign-in-fault.ts'

/** Why a request to next-auth failed, for the page that is shown then. */
const faults = new WeakMap<Request, SignInFault>()

/**
 * Signing in and out. A session cookie is an encrypted JWT with a user's ID and the ID of a row in `sign_ins`; `actorFrom`
 * looks both up on each request. Each entry of `env.signIn` is one provider.
 */
const { handlers, signIn, signOut } = NextAuth(async (request?: NextRequest) => {
  const { env, ports } = runtime()
  // The one name by which next-auth can be told its public origin: else it believes the request's headers.
  process.env.AUTH_URL = ports.origin
  return {
    secret: env.authSecret,
    trustHost: true,
    basePath: '/api/auth',
    session: { strategy: 'jwt', maxAge: signInDays * 86_400 },
    cookies: { sessionToken: sessionCookie(ports.origin) },
    logger: {
      error(error) {
        const fault = faultOf(error, request?.url ?? ports.origin)
        if (request !== undefined) faults.set(request, fault)
        const expected = fault !== 'misconfigured' || error.name === 'CredentialsSignin'
        log(expected ? 'warn' : 'error', 'a sign-in failed', {
          fault,
          error,
          ...whatFailed(error, request?.url)
        })
      },
      warn: code => log('warn', 'next-auth warning', { code })
    },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    callbacks: {
      async jwt({ account, profile }) {
        // Only a sign-in has an account. Without one next-auth would renew a cookie.
        const way = env.signIn.find(({ provider }) => provider === account?.provider)
        if (way === undefined) return null
        const vouched = identityFromToken(way, profile ?? {})
        return beginSignIn(await identify(vouched), { request, email: vouched.email })
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
 * The doors of next-auth, which keep to the public origin whatever the request says it came to; where one fails, the
 * sign-in page is told why.
 */
export const { GET, POST } = { GET: answerWith(handlers.GET), POST: answerWith(handlers.POST) }

function answerWith(handle: (request: NextRequest) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    // It sends a new cookie with a later end, and nothing here asks it.
    if (pathname === '/api/auth/session') throw notFound('page', pathname)
    const asked = new NextRequest(new URL(pathname + search, runtime().ports.origin), request)
    const response = await handle(asked)
    const fault = faults.get(asked)
    const isFaultPage = response.headers.get('location')?.includes('/sign-in?error=')
    if (fault === undefined || !isFaultPage) return response
    const headers = new Headers(response.headers)
    headers.set('location', `/sign-in?error=${fault}`)
    return new Response(null, { status: 302, headers })
  }
}

/** For the log: the first cause in its own words, with what the provider called it (RFC 6749, 4.1.2.1 and 5.2), and whose. */
function whatFailed(error: Error, asked = '') {
  const url = URL.canParse(asked) ? new URL(asked) : undefined
  const cause = deepestIn(error)
  const named = 'error' in cause ? cause.error : url?.searchParams.get('error')
  return {
    provider: url?.pathname.split('/').at(-1),
    because: typeof named === 'string' ? `${cause.message} (${named.slice(0, 80)})` : cause.message
  }
}

/** next-auth wraps what happened. */
function deepestIn(error: Error): Error {
  const { err } = (error.cause ?? {}) as { err?: unknown }
  const inner = err ?? error.cause
  return inner instanceof Error ? deepestIn(inner) : error
}
