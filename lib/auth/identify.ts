import { newId } from '@waystation/base/ids.ts'
import { inTransaction } from '#db/transaction.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'

/**
 * A user's identity as their provider reports it. `subject` is their account at `issuer`, and `email` an address that
 * the provider has verified. The other fields are display names.
 */
export type ProviderIdentity = {
  issuer: string
  subject: string
  provider: string
  name: string
  label: string
  email?: string | undefined
}

/**
 * Returns the ID of the user with this account, and creates the user at the first sign-in. Only the account identifies
 * a user. Two accounts with one e-mail address are two users, because an address can be unverified, abandoned or
 * reassigned. Each sign-in updates the name. A new user is a member of no workspace.
 */
export async function identify({
  issuer,
  subject,
  provider,
  name,
  label
}: ProviderIdentity): Promise<string> {
  const ctx = ctxFor({ kind: 'system', name: 'sign-in', workspaceId: '' })
  return inTransaction(ctx, async ({ sql }) => {
    // Two concurrent first sign-ins of one account must create one user.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`identity:${issuer} ${subject}`}, 0))`
    const [identity] = await sql<{ userId: string }[]>`
      update identities set provider = ${provider}, label = ${label}, seen_at = clock_timestamp()
      where issuer = ${issuer} and subject = ${subject} returning user_id`
    if (identity !== undefined) {
      await sql`update users set name = ${name} where id = ${identity.userId} and name <> ${name}`
      return identity.userId
    }
    const userId = newId('user')
    await sql`insert into users (id, name) values (${userId}, ${name})`
    await sql`
      insert into identities (issuer, subject, user_id, provider, label, created_at, seen_at)
      values (${issuer}, ${subject}, ${userId}, ${provider}, ${label}, clock_timestamp(), clock_timestamp())`
    return userId
  })
}
