import ipaddr from 'ipaddr.js'
import { house } from '#lib/kernel/house.ts'

/** The header in which `server.ts` says whose connection a request came by; what a client put there is overwritten. */
export const peerHeader = 'x-waystation-peer'

/**
 * The address of whoever asks: the connection's, or, where that is a proxy of `WAYSTATION_TRUSTED_PROXIES`, the last one in
 * `X-Forwarded-For` that is none. What stands before that a client may have written itself. An IPv6 address is its /64, since
 * whoever has one address has all of those (RFC 4291, 2.5.4).
 */
export function clientAddress(headers: Headers): string {
  const forwarded = headers.get('x-forwarded-for')?.split(',') ?? []
  const hops = [...forwarded.map(hop => hop.trim()), headers.get(peerHeader) ?? 'unknown']
  const client = hops.findLast(hop => !isTrusted(hop)) ?? hops[0] ?? 'unknown'
  return networkOf(client.slice(0, 64))
}

function isTrusted(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return house().env.trustedProxies.some(entry => {
    if (!entry.includes('/')) return ipaddr.process(entry).toString() === parsed.toString()
    const [range, bits] = ipaddr.parseCIDR(entry)
    return range.kind() === parsed.kind() && parsed.match(range, bits)
  })
}

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : parsed.toString()
}
