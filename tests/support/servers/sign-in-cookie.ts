import { encode } from 'next-auth/jwt'
import type { Pool, Sql } from '#db/client.ts'
import { sessionCookie } from '#lib/auth/sign-in/session-cookie.ts'

/** Returns the name and value of a sign-in's cookie, which is invalid without the row of the sign-in. */
export async function cookieFor(
  { sub, sid }: { sub: string; sid: string },
  { secret, origin = 'http://localhost:3000' }: { secret: string; origin?: string }
): Promise<{ name: string; value: string }> {
  const { name } = sessionCookie(origin)
  return { name, value: await encode({ token: { sub, sid }, secret, salt: name }) }
}

/** Stores a sign-in of a user, like `createSignIn`. Stores nothing if the user does not exist. */
export async function storeSignIn(sql: Pool | Sql, userId: string, sid: string): Promise<void> {
  await sql`
    insert into sign_ins (id, user_id, user_agent, created_at, expires_at)
    select ${sid}, id, 'test', clock_timestamp(), clock_timestamp() + interval '30 days' from users where id = ${userId}
    on conflict (id) do nothing`
}

/** Signs a user in. Returns the `Cookie` header of the browser, which is the same for the same `sid`. */
export async function signInCookie(
  { sql, env }: { sql: Pool | Sql; env: { authSecret: string } },
  userId: string,
  sid: string = `signin_of_${userId}`
): Promise<string> {
  await storeSignIn(sql, userId, sid)
  const { name, value } = await cookieFor({ sub: userId, sid }, { secret: env.authSecret })
  return `${name}=${value}`
}
