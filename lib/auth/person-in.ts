import { getToken } from 'next-auth/jwt'
import { house } from '#lib/kernel/house.ts'
import { localOwner } from './local-owner.ts'
import { sessionCookie } from './session-cookie.ts'

/** Somebody who has signed in, and how: `account` is what their provider calls them. They need not belong to anything. */
export type Person = { userId: string; name: string; account?: string }

/**
 * The user that a request's session cookie names, or null. The local owner is one in local mode only: a cookie of that
 * time opens nothing once people sign in.
 */
export async function userIdIn(request: Request): Promise<string | null> {
  const { env, ports } = house()
  const { name } = sessionCookie(ports.origin)
  const token = await getToken({ req: request, secret: env.authSecret, cookieName: name, salt: name })
  if (!token?.sub || (token.sub === localOwner.id && !env.local)) return null
  return token.sub
}

/** The person behind a session cookie, whether or not a workspace knows them. */
export async function personIn(request: Request): Promise<Person | null> {
  const userId = await userIdIn(request)
  if (userId === null) return null
  const [person] = await house().sql<{ name: string; account: string | null }[]>`
    select u.name, i.label as account from users u left join identities i on i.user_id = u.id
    where u.id = ${userId} order by i.seen_at desc limit 1`
  if (person === undefined) return null
  const { name, account } = person
  return { userId, name, ...(account === null ? {} : { account }) }
}
