import { derivedKey } from './keys.ts'

/** What an application may ask for at Acme beside `openid` and `offline_access`, and how its consent page says it. */
export const acmeScopes: Record<string, string> = {
  profile: 'See your name and email address',
  'orders:read': 'Read your orders',
  'orders:write': 'Create orders for you'
}

/**
 * Acme as Waystation knows it, at this origin and with this secret of the server (`AUTH_SECRET`): what a person who
 * connects to a real provider copies from its developer pages.
 */
export const acmeAt = (origin: string, secret: string) => ({
  issuer: `${origin}/samples/acme`,
  /** The protected API: `GET me`, `GET orders`, `POST orders`. It is also the `resource` (RFC 8707). */
  api: `${origin}/samples/acme/api`,
  clientId: 'waystation',
  clientSecret: derivedKey(secret, 'client secret'),
  redirectUri: `${origin}/api/connections/callback`
})
