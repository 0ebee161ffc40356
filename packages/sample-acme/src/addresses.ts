import type { IncomingMessage } from 'node:http'

const mount = '/samples/acme'

/** Metadata as RFC 8414 (3.1) writes its address: the well-known part in front, the issuer's path behind. */
const inFront =
  /^(\/\.well-known\/(?:oauth-authorization-server|openid-configuration))\/samples\/acme(?=\?|$)/

export const addressOf = (path: string): string => mount + path

/** A request, and where it was sent: what frameworks that are mounted somewhere agree to call it. */
export type Entered = IncomingMessage & { originalUrl?: string }

/**
 * Makes of a request one that oidc-provider takes: addresses begin below its own, which it finds by comparing them with
 * `originalUrl`, and it is called by its issuer's name, whatever name this server was asked by. Gives path and query.
 */
export function enter(request: Entered, issuer: string): { path: string; query: URLSearchParams } {
  const sent = (request.url ?? '').replace(inFront, `${mount}$1`)
  const [path = '/', ...rest] = sent.slice(mount.length).split('?')
  const query = new URLSearchParams(rest.join('?'))
  if (path === '/authorize') askConsent(query)
  // A code in the address is put into the form (`device-pages.ts`); oidc-provider would make a page with a script of it.
  const passed = path === '/device' ? '' : query.toString()
  request.url = (path || '/') + (passed && `?${passed}`)
  request.originalUrl = mount + (path || '/') + (path === '/device' ? `?${query}` : passed && `?${passed}`)
  const { host, protocol } = new URL(issuer)
  request.headers['x-forwarded-host'] = host
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  return { path: path || '/', query }
}

/** Acme asks each time, so that is what a request is taken to say; without it `offline_access` is dropped (OpenID Core, 11). */
function askConsent(query: URLSearchParams): void {
  const [prompt = '', ...more] = query.getAll('prompt')
  const asked = prompt.split(' ').filter(Boolean)
  if (more.length > 0 || asked.includes('none') || asked.includes('consent')) return
  query.set('prompt', [...asked, 'consent'].join(' '))
}
