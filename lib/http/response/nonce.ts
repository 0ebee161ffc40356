/**
 * Returns the nonce that lets this page's scripts run, or an empty string. The server puts it into the page's policy,
 * and the policy into the request's headers (`scripts/serve/headers.ts`).
 */
export const readNonce = (headers: Headers): string =>
  /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? ''
