import { log } from '@waystation/base/log.ts'
import ipaddr from 'ipaddr.js'
import { runtime } from '#lib/kernel/runtime.ts'
import type { Env } from '#lib/kernel/settings/env.ts'

/** The header in which `server.ts` puts the address of the connection. It overwrites any value from the client. */
export const peerHeader = 'x-waystation-peer'

/**
 * Returns the client IP: the connection's address, or behind trusted proxies the last untrusted one in
 * `X-Forwarded-For`. A client can write the entries before that one itself. An IPv6 address is shortened to its /64,
 * because a client usually controls the whole /64 (RFC 4291, 2.5.4).
 */
export function clientAddress(headers: Headers): string {
  const peer = headers.get(peerHeader) ?? 'unknown'
  const forwardedFor = headers.get('x-forwarded-for')
  // Next adds this header with the connection's address if a request has none.
  const forwarded = forwardedFor === null || forwardedFor === peer ? [] : forwardedFor.split(',')
  if (forwarded.length > 0) warnOfProxy(runtime().env)
  const hops = [...forwarded, peer].map(hop => withoutPort(hop.trim().slice(0, 64)))
  const client = hops.findLast(hop => !isTrusted(hop)) ?? hops[0] ?? 'unknown'
  return networkOf(client)
}

const warned = new WeakSet<Env>()

/**
 * Warns once per server that a request names a proxy but no proxy is trusted. Any client can send the header, so this
 * only warns.
 */
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

/** Removes the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string) =>
  hop.replace(/^\[?([\da-f:.]+?)\]?(?:(?<=\]):\d+|(?<=^[\d.]+):\d+)?$/i, '$1')

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : parsed.toString()
}
