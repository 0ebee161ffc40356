import { encode } from 'next-auth/jwt'
import type { Pool, Sql } from '#db/client.ts'
import { sessionCookie } from '#lib/auth/sign-in/session-cookie.ts'

/** The name and value of the cookie of a sign-in, which opens nothing without its row. */
export async function cookieFor(
  { sub, sid }: { sub: string; sid: string },
  { secret, origin = 'http://localhost:3000' }: { secret: string; origin?: string }
): Promise<{ name: string; value: string }> {
  const { name } = sessionCookie(origin)
  return { name, value: await encode({ token: { sub, sid }, secret, salt: name }) }
}

/** Stores a sign-in of a user, as `beginSignIn` does in a server. Without that user it stores nothing. */
export async function storeSignIn(sql: Pool | Sql, userId: string, sid: string): Promise<void> {
  await sql`
    insert into sign_ins (id, user_id, user_agent, created_at, expires_at)
    select ${sid}, id, 'test', clock_timestamp(), clock_timestamp() + interval '30 days' from users where id = ${userId}
    on conflict (id) do nothing`
}

/** Signs a user in. Returns the `Cookie` header of that browser, the same for the same `sid`. */
export async function signInCookie(
  { sql, env }: { sql: Pool | Sql; env: { authSecret: string } },
  userId: string,
  sid: string = `signin_of_${userId}`
): Promise<string> {
  await storeSignIn(sql, userId, sid)
  const { name, value } = await cookieFor({ sub: userId, sid }, { secret: env.authSecret })
  return `${name}=${value}`
}
