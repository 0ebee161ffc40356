import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The only part of IPv6 that is handed out for the open internet (RFC 4291, IANA). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's host agent: a public-looking address that is link-local in everything but its number. */
const azureHostAgent = '168.63.129.16'

/**
 * True for an IP address on the open internet. Everything else is false: private, loopback, link-local, carrier
 * NAT, documentation, benchmarking and reserved ranges, multicast, and every IPv6 form that carries an IPv4 address
 * inside (mapped, compatible, NAT64, 6to4, Teredo), because where those end is decided by somebody's router.
 *
 * `range() === 'unicast'` alone lets `::127.0.0.1` (IPv4-compatible) and Azure's agent through: hence the two extra
 * tests. What is not an IP address at all is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!isIP(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv6 ? address.match(globalUnicast) : address.toString() !== azureHostAgent
}
