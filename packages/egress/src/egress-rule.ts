import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * One entry that an operator allowed. A `host` rule compares the name in the URL, regardless of its addresses. A
 * `range` rule compares the address of the connection, regardless of the name. Without a port, all ports are allowed.
 */
export type EgressRule =
  | { readonly kind: 'host'; readonly host: string; readonly port?: number; readonly protocol?: string }
  | { readonly kind: 'range'; readonly range: [ipaddr.IPv4 | ipaddr.IPv6, number]; readonly port?: number }

const hostAndPort = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/

/** Parses one entry of `WAYSTATION_EGRESS_ALLOW`. Throws if it has an unknown form or is ambiguous. */
export function parseRule(entry: string): EgressRule {
  if (entry.includes('://')) throw mistake(entry, 'write only the host, without a scheme or a path')
  if (entry.includes('*'))
    throw mistake(entry, 'wildcards are not supported; name each host, or use a CIDR range')
  if (entry.includes('/')) return rangeRule(entry)
  if (isIPv6(entry)) return addressRule(entry)

  const [, host, port] = hostAndPort.exec(entry) ?? []
  if (!host) throw mistake(entry, 'an entry must be a host, host:port, [IPv6]:port or a CIDR range')
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535)) {
    throw mistake(entry, 'a port must be a number from 1 to 65535')
  }
  const name = hostname(host)
  if (!name) throw mistake(entry, 'it is not a host name')
  const portField = port === undefined ? {} : { port: Number(port) }
  return isIP(name) ? { ...addressRule(name), ...portField } : { kind: 'host', host: name, ...portField }
}

/** Returns a rule for an exact origin, such as that of a bundled sample. Throws for other text. */
export function originRule(origin: string): EgressRule {
  const url = URL.parse(origin)
  if (!url || url.origin !== origin.toLowerCase() || !/^https?:$/.test(url.protocol)) {
    throw new Error(`"${origin}" is not an http(s) origin such as http://127.0.0.1:4100.`)
  }
  return { kind: 'host', protocol: url.protocol, host: bareHost(url.hostname), port: portOf(url) }
}

/** Returns the port of a URL, or the default port of its scheme. */
export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

/** Removes IPv6 brackets and the dot at the end of a fully qualified name, so that hosts can be compared. */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

function rangeRule(entry: string): EgressRule {
  const [network = '', bits = ''] = entry.split('/')
  if (!isIP(network) || !/^\d{1,3}$/.test(bits) || entry.split('/').length !== 2) {
    throw mistake(entry, 'a range needs an address and a prefix length, such as 10.0.0.0/8 or fd00::/8')
  }
  const address = ipaddr.parse(network)
  if (Number(bits) > (address.kind() === 'ipv4' ? 32 : 128)) {
    throw mistake(entry, `the prefix length can be at most ${address.kind() === 'ipv4' ? 32 : 128}`)
  }
  return { kind: 'range', range: [rejectMapped(entry, address), Number(bits)] }
}

function addressRule(text: string): EgressRule {
  const address = rejectMapped(text, ipaddr.parse(text))
  return { kind: 'range', range: [address, address.kind() === 'ipv4' ? 32 : 128] }
}

function rejectMapped(entry: string, address: ipaddr.IPv4 | ipaddr.IPv6) {
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    throw mistake(entry, 'write the IPv4 address itself; its mapped form is then also allowed')
  }
  return address
}

function hostname(host: string): string | undefined {
  const url = URL.parse(`http://${host}`)
  const isPlain = url && url.pathname === '/' && !url.username && !url.search && !url.hash && !url.port
  return isPlain ? bareHost(url.hostname) : undefined
}

const mistake = (entry: string, advice: string) =>
  new Error(`WAYSTATION_EGRESS_ALLOW: cannot read "${entry}": ${advice}.`)
