import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The only IPv6 range that is assigned for the public internet (RFC 4291, IANA). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's host agent: its address looks public, but works like a link-local one. */
const azureHostAgent = '168.63.129.16'

/**
 * True for an IP address on the public internet. False for private, loopback, link-local, carrier NAT, documentation,
 * benchmarking, reserved and multicast ranges. Also false for IPv6 addresses that contain an IPv4 address (mapped,
 * compatible, NAT64, 6to4, Teredo), because a router decides where those lead.
 * `range() === 'unicast'` alone accepts `::127.0.0.1` (IPv4-compatible) and Azure's agent, so there are two more tests.
 * Text that is not an IP address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!isIP(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv6 ? address.match(globalUnicast) : address.toString() !== azureHostAgent
}
