import NextAuth from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { house } from '#lib/kernel/house.ts'
import { log } from '#lib/kernel/log.ts'
import { admitLocalOwner } from './local-owner.ts'
import { sessionCookie } from './session-cookie.ts'

/**
 * Signing in and out. Sessions are JWTs (a provider of type credentials allows nothing else): the cookie says who,
 * `actorFrom` looks up what they may do. A sign-in service is one more entry in `providers`, made from `env.signIn`.
 */
export const { handlers, signIn, signOut } = NextAuth(async () => {
  const { env, ports } = house()
  return {
    secret: env.authSecret,
    trustHost: true,
    basePath: '/api/auth',
    session: { strategy: 'jwt', maxAge: 30 * 86_400 },
    cookies: { sessionToken: sessionCookie(ports.origin) },
    logger: {
      error: error =>
        log(error.name === 'CredentialsSignin' ? 'warn' : 'error', 'a sign-in failed', { error }),
      warn: code => log('warn', 'next-auth warns', { code })
    },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    providers: env.local
      ? [
          Credentials({
            id: 'local',
            credentials: {},
            authorize: (_, request) => admitLocalOwner(request.headers)
          })
        ]
      : []
  }
})
