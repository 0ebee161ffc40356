import { z } from 'zod'
import type { ProviderIdentity } from '#lib/auth/identify.ts'
import type { SignIn } from '#lib/kernel/settings/sign-in-providers.ts'

/**
 * Reads a user's identity from the claims of an ID token (OpenID Connect Core 5.1) or from a GitHub user. Throws if
 * there is no account ID. For OpenID Connect, the issuer comes from the token, which has been checked against the
 * setting.
 */
export function identityFromToken(settings: SignIn, claims: Record<string, unknown>): ProviderIdentity {
  const { provider, kind } = settings
  const [account, login] =
    kind === 'github' ? [claims.id, claims.login] : [claims.sub, claims.preferred_username ?? claims.email]
  const subject = typeof account === 'number' ? String(account) : account
  if (typeof subject !== 'string' || subject === '' || subject.length > 255)
    throw new Error(`${settings.name} did not return an account ID`)
  const label = singleLine(login) || subject
  const issuer = kind === 'oidc' && typeof claims.iss === 'string' ? claims.iss : settings.issuer
  const name = singleLine(claims.name) || singleLine(claims.nickname) || label
  return { issuer, subject, provider, label, name, email: verifiedEmail(claims) }
}

/** Returns the verified e-mail address (OpenID Connect Core, 5.1; at most 254 characters, RFC 5321). */
function verifiedEmail({ email, email_verified: verified }: Record<string, unknown>): string | undefined {
  return verified === true ? z.email().max(254).safeParse(email).data : undefined
}

/** Reduces a text to one line of at most 80 characters, without invisible characters and direction marks. */
const singleLine = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replaceAll(/(?:[^\P{C}\u200c\u200d]|\s)+/gu, ' ')
        .trim()
        .slice(0, 80)
        .toWellFormed()
    : ''
