import { derivedKey } from './keys.ts'

/** The scopes that a client can request besides `openid` and `offline_access`, with their texts on the consent page. */
export const acmeScopes: Record<string, string> = {
  profile: 'See your name and email address',
  'orders:read': 'Read your orders',
  'orders:write': 'Create orders for you'
}

/**
 * Returns Acme's URLs and the credentials of the client `waystation`. For a real provider, a user copies these from
 * its developer pages. Pass the public origin of the server, without a trailing slash, and `AUTH_SECRET`.
 */
export const acmeAt = (origin: string, secret: string) => ({
  issuer: `${origin}/samples/acme`,
  /** The protected API: `GET me`, `GET orders`, `POST orders`. It is also the `resource` (RFC 8707). */
  api: `${origin}/samples/acme/api`,
  clientId: 'waystation',
  clientSecret: derivedKey(secret, 'client secret'),
  redirectUri: `${origin}/api/connections/callback`
})
