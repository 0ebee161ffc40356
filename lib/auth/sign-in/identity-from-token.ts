import { z } from 'zod'
import type { Vouched } from '#lib/auth/identify.ts'
import type { SignIn } from '#lib/kernel/settings/sign-in-ways.ts'

/**
 * What a provider said of somebody (an ID token's claims, OpenID Connect Core 5.1; or GitHub's user), read as who they are.
 * Throws when it names no account. For OpenID the issuer is the token's own, which has been checked against the setting.
 */
export function identityFromToken(way: SignIn, said: Record<string, unknown>): Vouched {
  const { provider, kind } = way
  const [account, known] =
    kind === 'github' ? [said.id, said.login] : [said.sub, said.preferred_username ?? said.email]
  const subject = typeof account === 'number' ? String(account) : account
  if (typeof subject !== 'string' || subject === '' || subject.length > 255)
    throw new Error(`${way.name} did not return an account ID`)
  const label = words(known) || subject
  const issuer = kind === 'oidc' && typeof said.iss === 'string' ? said.iss : way.issuer
  const name = words(said.name) || words(said.nickname) || label
  return { issuer, subject, provider, label, name, email: verifiedEmail(said) }
}

/** The address that a provider says it has verified (OpenID Connect Core, 5.1; at most 254 characters, RFC 5321). */
function verifiedEmail({ email, email_verified: verified }: Record<string, unknown>): string | undefined {
  return verified === true ? z.email().max(254).safeParse(email).data : undefined
}

/** One line of at most 80 characters, without what would hide or turn around the words beside it. */
const words = (said: unknown): string =>
  typeof said === 'string'
    ? said
        .toWellFormed()
        .replaceAll(/(?:[^\P{C}\u200c\u200d]|\s)+/gu, ' ')
        .trim()
        .slice(0, 80)
        .toWellFormed()
    : ''
