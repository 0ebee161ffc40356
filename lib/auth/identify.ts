import { inTransaction } from '#db/transaction.ts'
import { newId } from '#lib/kernel/ids.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'

/**
 * Who a provider says has signed in: `subject` is their account at `issuer`; `email` is an address that it has verified; the
 * rest is what they are called.
 */
export type Vouched = {
  issuer: string
  subject: string
  provider: string
  name: string
  label: string
  email?: string | undefined
}

/**
 * The user of an account at a provider, made when it is seen for the first time. The account alone decides: two accounts
 * with one e-mail address are two people, since an address can be unverified, given up or somebody else's tomorrow. Names
 * follow the provider's with each sign-in. It gives membership of nothing.
 */
export async function identify({ issuer, subject, provider, name, label }: Vouched): Promise<string> {
  const server = ctxFor({ kind: 'system', name: 'sign-in', workspaceId: '' })
  return inTransaction(server, async ({ sql }) => {
    // Two first sign-ins of one account at once make one user.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`identity:${issuer} ${subject}`}, 0))`
    const [known] = await sql<{ userId: string }[]>`
      update identities set provider = ${provider}, label = ${label}, seen_at = clock_timestamp()
      where issuer = ${issuer} and subject = ${subject} returning user_id`
    if (known !== undefined) {
      await sql`update users set name = ${name} where id = ${known.userId} and name <> ${name}`
      return known.userId
    }
    const userId = newId('user')
    await sql`insert into users (id, name) values (${userId}, ${name})`
    await sql`
      insert into identities (issuer, subject, user_id, provider, label, created_at, seen_at)
      values (${issuer}, ${subject}, ${userId}, ${provider}, ${label}, clock_timestamp(), clock_timestamp())`
    return userId
  })
}
