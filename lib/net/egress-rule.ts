import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * One thing an operator allowed. A `host` rule goes by the name in the URL, whatever it resolves to; a `range` rule
 * by the address that is dialled, whatever name led there. Without a port, all ports.
 */
export type EgressRule =
  | { readonly kind: 'host'; readonly host: string; readonly port?: number; readonly protocol?: string }
  | { readonly kind: 'range'; readonly range: [ipaddr.IPv4 | ipaddr.IPv6, number]; readonly port?: number }

const hostAndPort = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/

/** One entry of `WAYSTATION_EGRESS_ALLOW`. Throws when it is none of the forms, or could be read in two ways. */
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
  const where = port === undefined ? {} : { port: Number(port) }
  return isIP(name) ? { ...addressRule(name), ...where } : { kind: 'host', host: name, ...where }
}

/** An exact origin, such as that of a bundled sample. Throws for anything else. */
export function originRule(origin: string): EgressRule {
  const url = URL.parse(origin)
  if (!url || url.origin !== origin.toLowerCase() || !/^https?:$/.test(url.protocol)) {
    throw new Error(`"${origin}" is not an http(s) origin such as http://127.0.0.1:4100.`)
  }
  return { kind: 'host', protocol: url.protocol, host: bareHost(url.hostname), port: portOf(url) }
}

/** The port a URL is called on, its scheme's own when it names none. */
export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

/** Hosts are compared without IPv6 brackets and without the dot that ends a fully qualified name. */
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
  return { kind: 'range', range: [unmapped(entry, address), Number(bits)] }
}

function addressRule(text: string): EgressRule {
  const address = unmapped(text, ipaddr.parse(text))
  return { kind: 'range', range: [address, address.kind() === 'ipv4' ? 32 : 128] }
}

function unmapped(entry: string, address: ipaddr.IPv4 | ipaddr.IPv6) {
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    throw mistake(entry, 'write the IPv4 address itself; its mapped form is then also allowed')
  }
  return address
}

function hostname(host: string): string | undefined {
  const url = URL.parse(`http://${host}`)
  const plain = url && url.pathname === '/' && !url.username && !url.search && !url.hash && !url.port
  return plain ? bareHost(url.hostname) : undefined
}

const mistake = (entry: string, advice: string) =>
  new Error(`WAYSTATION_EGRESS_ALLOW: cannot read "${entry}": ${advice}.`)
