/**
 * The nonce that lets a script of this page run: the server puts it into the page's policy, and the policy into the
 * request's headers (`scripts/serve/headers.ts`). Empty for a page without one.
 */
export const nonceIn = (headers: Headers): string =>
  /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? ''
