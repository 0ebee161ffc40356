import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { type EgressRule, originRule, parseRule } from './egress-rule.ts'
import { isPublicAddress } from './public-address.ts'

/** Returns all addresses of a name, in the order to try them. Rejects like `dns.lookup` if there are none. */
export type Resolve = (hostname: string) => Promise<string[]>

/**
 * Private targets that outgoing requests can reach. Create it once at startup: connections are pooled per policy
 * object.
 */
export type EgressPolicy = {
  readonly rules: readonly EgressRule[]
  readonly resolve: Resolve
}

/** The target of a connection. `host` is as in `URL`, but without IPv6 brackets and trailing dot. */
export type Target = { readonly protocol: string; readonly host: string; readonly port: number }

const systemResolve: Resolve = async hostname =>
  (await lookup(hostname, { all: true })).map(entry => entry.address)

/**
 * Parses `WAYSTATION_EGRESS_ALLOW`: hosts, `host:port` and CIDR ranges that can be reached although they are private,
 * separated by commas. `origins` are additional exact origins (`http://127.0.0.1:4100`), such as the bundled samples in
 * local mode. Throws an `Error` that names an invalid entry and explains the format.
 */
export function parseEgressPolicy(
  allow: string | undefined,
  { origins = [], resolve = systemResolve }: { origins?: readonly string[]; resolve?: Resolve } = {}
): EgressPolicy {
  const entries = (allow ?? '').split(',').map(entry => entry.trim())
  return { rules: [...entries.filter(Boolean).map(parseRule), ...origins.map(originRule)], resolve }
}

/**
 * True if a connection for `target` can use this IP address. Without a matching rule, only public addresses are
 * permitted.
 */
export const permits = (policy: EgressPolicy, target: Target, address: string): boolean =>
  isPublicAddress(address) || policy.rules.some(rule => matches(rule, target, address))

function matches(rule: EgressRule, target: Target, address: string): boolean {
  if (rule.port !== undefined && rule.port !== target.port) return false
  if (rule.kind === 'host') {
    return rule.host === target.host && (rule.protocol === undefined || rule.protocol === target.protocol)
  }
  // `process` converts ::ffff:10.0.0.1 to 10.0.0.1, where the operating system would connect to.
  const parsed = ipaddr.process(address)
  const [network, bits] = rule.range
  return parsed.kind() === network.kind() && parsed.match(network, bits)
}
