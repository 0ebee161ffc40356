import { allowsOrigin } from '#lib/auth/tokens/allowed-origins.ts'
import { Refusal } from '#lib/kernel/refusal.ts'

/**
 * Refuses a state-changing request that carries a browser's cookie unless one of our own pages made it (ASVS 3.5).
 * `Origin` must be one of ours; only where a browser sends none, `Sec-Fetch-Site: same-origin` will do. Requests
 * with an API key need no such proof: a browser never adds one by itself.
 *
 * `own` are the origins that pages of ours have; `Host` is not asked, since a rebound DNS name chooses it.
 */
export function checkOrigin(request: Request, own: readonly string[]): void {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const ours = origin === null ? site === 'same-origin' : own.includes(origin)
  if (!ours || (site !== null && site !== 'same-origin'))
    throw new Refusal(
      'FOREIGN_ORIGIN',
      'Request blocked: its Origin does not match WAYSTATION_URL. Open Waystation at that address, or send an API key.'
    )
}

/** Requests with a session token from a page elsewhere that may use it: it may read the answer, a refusal too. */
const welcome = new WeakSet<Request>()
export const isWelcome = (request: Request): boolean => welcome.has(request)

/**
 * Refuses a session token that a page uses whose origin its workspace does not allow. A page of ours may, and so may
 * who has no `Origin`: a server, a program. (A browser names one for every request to elsewhere that has a token.)
 */
export async function checkPage(
  request: Request,
  workspaceId: string,
  own: readonly string[]
): Promise<void> {
  const origin = request.headers.get('origin')
  if (origin === null || own.includes(origin)) return
  if (!(await allowsOrigin(workspaceId, origin)))
    throw new Refusal(
      'FOREIGN_ORIGIN',
      `Pages at ${origin} cannot use session tokens of this workspace. An owner can allow this origin in Settings.`
    )
  welcome.add(request)
}

/** The public origin and, on a server that only this machine can reach, its loopback names. */
export function ownOrigins(publicUrl: string, local: boolean): string[] {
  const { origin, port, protocol } = new URL(publicUrl)
  if (!local) return [origin]
  const names = ['localhost', '127.0.0.1', '[::1]']
  return [
    origin,
    ...names.map(name => new URL(`${protocol}//${name}:${port || (protocol === 'https:' ? 443 : 80)}`).origin)
  ]
}
