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
    throw new Refusal('FOREIGN_ORIGIN', 'This request did not come from a page of this server.')
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
