import { getToken } from 'next-auth/jwt'
import { runtime } from '#lib/kernel/runtime.ts'
import { localOwner } from './sign-in/local-owner.ts'
import { sessionCookie } from './sign-in/session-cookie.ts'

/** The claims of a session cookie: the IDs of a user and of their sign-in. */
export type CookieClaims = { sub: string; sid: string }

/** A signed-in user, who might not be a member of any workspace. `account` is their name at their provider. */
export type Person = { userId: string; name: string; account?: string }

/**
 * Returns the claims of a request's session cookie, or null. The sign-in might have ended, which only its row shows.
 * The local owner's cookie is valid only in local mode.
 */
export async function cookieClaims(request: Request): Promise<CookieClaims | null> {
  const { env, ports } = runtime()
  const { name } = sessionCookie(ports.origin)
  const token = await getToken({ req: request, secret: env.authSecret, cookieName: name, salt: name })
  if (!token?.sub || typeof token.sid !== 'string') return null
  return token.sub === localOwner.id && !env.local ? null : { sub: token.sub, sid: token.sid }
}

/** Returns the user of a session cookie, even if they are in no workspace. Null means that the sign-in is not valid. */
export async function personIn(request: Request): Promise<Person | null> {
  const claims = await cookieClaims(request)
  if (claims === null) return null
  const [person] = await runtime().sql<{ name: string; account: string | null }[]>`
    select u.name, i.label as account from sign_ins s join users u on u.id = s.user_id
    left join identities i on i.user_id = u.id
    where s.id = ${claims.sid} and s.user_id = ${claims.sub} and s.expires_at > clock_timestamp()
    order by i.seen_at desc limit 1`
  if (person === undefined) return null
  const { name, account } = person
  return { userId: claims.sub, name, ...(account === null ? {} : { account }) }
}
