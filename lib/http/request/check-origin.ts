import { ApiError } from '@waystation/base/api-error.ts'
import { allowsOrigin } from '#lib/auth/tokens/allowed-origins.ts'

/**
 * Refuses a change that carries a browser's cookie unless one of our own pages sent it (ASVS 3.5). `Origin` must be one
 * of `own`. Only if the browser sends no `Origin`, `Sec-Fetch-Site: same-origin` is enough. Requests with an API key
 * need no check, because a browser never adds a key by itself.
 *
 * `Host` is ignored, because an attacker can choose it by DNS rebinding.
 */
export function checkOrigin(request: Request, own: readonly string[]): void {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const isOwn = origin === null ? site === 'same-origin' : own.includes(origin)
  if (!isOwn || (site !== null && site !== 'same-origin'))
    throw new ApiError(
      'FOREIGN_ORIGIN',
      'Request blocked: its Origin does not match WAYSTATION_URL. Open Waystation at that address, or send an API key.'
    )
}

/**
 * Requests with a session token from an allowed page of another site, which can read the response even if it is an
 * error.
 */
const allowedRequests = new WeakSet<Request>()
/** Returns whether `checkTokenOrigin` allowed a page of another site to read the response to this request. */
export const canReadCrossOrigin = (request: Request): boolean => allowedRequests.has(request)

/**
 * Refuses a session token from a page whose origin the workspace does not allow. Our own pages are allowed, and so are
 * requests without `Origin`, which come from servers and programs. A browser always sends `Origin` with a cross-origin
 * token.
 */
export async function checkTokenOrigin(
  request: Request,
  workspaceId: string,
  own: readonly string[]
): Promise<void> {
  const origin = request.headers.get('origin')
  if (origin === null || own.includes(origin)) return
  if (!(await allowsOrigin(workspaceId, origin)))
    throw new ApiError(
      'FOREIGN_ORIGIN',
      `Pages at ${origin} cannot use session tokens of this workspace. An owner can allow this origin in Settings.`
    )
  allowedRequests.add(request)
}

/** Returns the public origin, and on a local server also its loopback origins. */
export function ownOrigins(publicUrl: string, local: boolean): string[] {
  const { origin, port, protocol } = new URL(publicUrl)
  if (!local) return [origin]
  const names = ['localhost', '127.0.0.1', '[::1]']
  return [
    origin,
    ...names.map(name => new URL(`${protocol}//${name}:${port || (protocol === 'https:' ? 443 : 80)}`).origin)
  ]
}
