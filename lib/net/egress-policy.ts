import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { type EgressRule, originRule, parseRule } from './egress-rule.ts'
import { isPublicAddress } from './public-address.ts'

/** All addresses of a name, in the order to try them; rejects like `dns.lookup` when there are none. */
export type Resolve = (hostname: string) => Promise<string[]>

/** Where outbound calls may go beyond the open internet. Made once at start; the same value keeps its connections. */
export type EgressPolicy = {
  readonly rules: readonly EgressRule[]
  readonly resolve: Resolve
}

/** Whom a connection is for: `host` as `URL` writes it, IPv6 without brackets, no trailing dot. */
export type Target = { readonly protocol: string; readonly host: string; readonly port: number }

const systemResolve: Resolve = async hostname =>
  (await lookup(hostname, { all: true })).map(entry => entry.address)

/**
 * Reads `WAYSTATION_EGRESS_ALLOW`: hosts, `host:port` and CIDR ranges, comma separated, that may be reached although
 * they are private. `origins` are further exact origins (`http://127.0.0.1:4100`), such as the bundled samples in
 * local mode. Throws an `Error` that names the entry and says how to write it.
 */
export function parseEgressPolicy(
  allow: string | undefined,
  { origins = [], resolve = systemResolve }: { origins?: readonly string[]; resolve?: Resolve } = {}
): EgressPolicy {
  const entries = (allow ?? '').split(',').map(entry => entry.trim())
  return { rules: [...entries.filter(Boolean).map(parseRule), ...origins.map(originRule)], resolve }
}

/** True when a connection for `target` may be made to `address` (an IP address). Unless a rule says so: public only. */
export const permits = (policy: EgressPolicy, target: Target, address: string): boolean =>
  isPublicAddress(address) || policy.rules.some(rule => matches(rule, target, address))

function matches(rule: EgressRule, target: Target, address: string): boolean {
  if (rule.port !== undefined && rule.port !== target.port) return false
  if (rule.kind === 'host') {
    return rule.host === target.host && (rule.protocol === undefined || rule.protocol === target.protocol)
  }
  // `process` turns ::ffff:10.0.0.1 into 10.0.0.1, which is where the kernel would send it.
  const given = ipaddr.process(address)
  const [network, bits] = rule.range
  return given.kind() === network.kind() && given.match(network, bits)
}
