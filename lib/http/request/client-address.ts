import ipaddr from 'ipaddr.js'
import { log } from '#lib/kernel/log.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { Env } from '#lib/kernel/settings/env.ts'

/** The header in which `server.ts` says whose connection a request came by; what a client put there is overwritten. */
export const peerHeader = 'x-waystation-peer'

/**
 * The address of whoever asks: the connection's, or, where that is a proxy of `WAYSTATION_TRUSTED_PROXIES`, the last one in
 * `X-Forwarded-For` that is none. What stands before that a client may have written itself. An IPv6 address is its /64, since
 * whoever has one address has all of those (RFC 4291, 2.5.4).
 */
export function clientAddress(headers: Headers): string {
  const peer = headers.get(peerHeader) ?? 'unknown'
  const given = headers.get('x-forwarded-for')
  // Next adds the header with the connection's own address when a request has none.
  const forwarded = given === null || given === peer ? [] : given.split(',')
  if (forwarded.length > 0) warnOfProxy(runtime().env)
  const hops = [...forwarded, peer].map(hop => withoutPort(hop.trim().slice(0, 64)))
  const client = hops.findLast(hop => !isTrusted(hop)) ?? hops[0] ?? 'unknown'
  return networkOf(client)
}

const warned = new WeakSet<Env>()

/** Once for a server: a request came by a proxy, as it says, and no proxy is trusted. Any client can say so, so this only warns. */
function warnOfProxy(env: Env): void {
  if (env.trustedProxies.length > 0 || warned.has(env)) return
  warned.add(env)
  log(
    'warn',
    'A request has the header X-Forwarded-For, but WAYSTATION_TRUSTED_PROXIES is not set. If you use a reverse proxy, set its address there, or all clients share the limits of one IP.'
  )
}

function isTrusted(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return runtime().env.trustedProxies.some(entry => {
    if (!entry.includes('/')) return ipaddr.process(entry).toString() === parsed.toString()
    const [range, bits] = ipaddr.parseCIDR(entry)
    return range.kind() === parsed.kind() && parsed.match(range, bits)
  })
}

/** Some proxies write the port as well: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string) =>
  hop.replace(/^\[?([\da-f:.]+?)\]?(?:(?<=\]):\d+|(?<=^[\d.]+):\d+)?$/i, '$1')

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : parsed.toString()
}
