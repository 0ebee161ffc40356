import { newId } from '@waystation/base/ids.ts'
import { type CookieClaims, cookieClaims } from '#lib/auth/person-in.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/** How many days a sign-in lasts. It is never renewed. */
export const signInDays = 30

/**
 * Stores a sign-in and returns the claims of its cookie. It ends an earlier sign-in of the same browser, which sent
 * `request`. `email` is an address that the provider has verified.
 */
export async function createSignIn(
  userId: string,
  { request, email }: { request: Request | undefined; email?: string | undefined }
): Promise<CookieClaims> {
  const replaced = request && (await cookieClaims(request))?.sid
  const userAgent = request?.headers.get('user-agent') ?? ''
  const sid = newId('signin')
  await runtime().sql`
    with ended as (delete from sign_ins where id = ${replaced ?? null})
    insert into sign_ins (id, user_id, email, user_agent, created_at, expires_at)
    select ${sid}, ${userId}, ${email ?? null}, ${userAgent.slice(0, 300)}, now, now + make_interval(days => ${signInDays})
    from (select clock_timestamp() as now) t`
  return { sub: userId, sid }
}
