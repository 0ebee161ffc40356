import type { IncomingMessage } from 'node:http'

const mount = '/samples/acme'

/** Matches metadata URLs that have the well-known part in front of the issuer's path (RFC 8414, 3.1). */
const wellKnownFirst =
  /^(\/\.well-known\/(?:oauth-authorization-server|openid-configuration))\/samples\/acme(?=\?|$)/

/** Returns the full path on this server for a path of Acme. */
export const acmePath = (path: string): string => mount + path

/** A request with its URL from before mounting. `originalUrl` is the conventional name of that property. */
export type MountedRequest = IncomingMessage & { originalUrl?: string }

/**
 * Changes a request into one that oidc-provider can handle. Returns its path below the mount path, and its query.
 *
 * - `url` starts below the mount path. oidc-provider finds the mount path by comparing `url` with `originalUrl`.
 * - The host and the scheme are those of the issuer, regardless of the host that the request was sent to.
 * - An authorization request asks for consent.
 */
export function mountRequest(
  request: MountedRequest,
  issuer: string
): { path: string; query: URLSearchParams } {
  const requested = (request.url ?? '').replace(wellKnownFirst, `${mount}$1`)
  const [path = '/', ...rest] = requested.slice(mount.length).split('?')
  const query = new URLSearchParams(rest.join('?'))
  if (path === '/authorize') requireConsent(query)
  // For a user code in the URL, oidc-provider would render a page with a script. `device-pages.ts` instead reads the
  // code from `originalUrl` and puts it into the form.
  const search = path === '/device' ? '' : query.toString()
  request.url = (path || '/') + (search && `?${search}`)
  request.originalUrl = mount + (path || '/') + (path === '/device' ? `?${query}` : search && `?${search}`)
  const { host, protocol } = new URL(issuer)
  request.headers['x-forwarded-host'] = host
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  return { path: path || '/', query }
}

/**
 * Adds `consent` to the prompts, because Acme asks for consent each time. Without this prompt, oidc-provider drops
 * `offline_access` (OpenID Connect Core, 11). Does not change `prompt=none` or a repeated `prompt`: oidc-provider
 * rejects these.
 */
function requireConsent(query: URLSearchParams): void {
  const [prompt = '', ...more] = query.getAll('prompt')
  const prompts = prompt.split(' ').filter(Boolean)
  if (more.length > 0 || prompts.includes('none') || prompts.includes('consent')) return
  query.set('prompt', [...prompts, 'consent'].join(' '))
}
