import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { EgressPolicy } from './egress-policy.ts'
import { pinnedLookup } from './pinned-lookup.ts'
import { permittedAddresses, targetOf } from './target.ts'

const agents = new WeakMap<EgressPolicy, Agent>()

/**
 * The connections made under one policy. Every socket is opened here: the target is checked, all its addresses are
 * resolved and checked, and the socket is given exactly those, so that no second look-up can answer otherwise (DNS
 * rebinding). undici asks `lookup` nothing when the host is an IP address: the check comes before it, for both.
 *
 * An `Agent` of one's own reads no proxy from the environment. Idle connections are kept a second, or as long as the
 * server says, at most 15 s: one that died unnoticed would cost a POST that must not be sent twice.
 */
export function agentFor(policy: EgressPolicy): Agent {
  const known = agents.get(policy)
  if (known) return known
  const agent = new Agent({
    connect: pinnedConnector(policy),
    allowH2: false,
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 15_000,
    // `safeFetch` has one deadline for the whole exchange; undici's own would only double it.
    headersTimeout: 0,
    bodyTimeout: 0
  })
  agents.set(policy, agent)
  return agent
}

const pinnedConnector =
  (policy: EgressPolicy): buildConnector.connector =>
  (options, callback) => {
    const bracketed = isIP(options.hostname) === 6 ? `[${options.hostname}]` : options.hostname
    const target = targetOf(new URL(`${options.protocol}//${bracketed}:${options.port}`))
    permittedAddresses(policy, target).then(
      addresses => {
        const lookup = pinnedLookup(addresses)
        buildConnector({ lookup, allowH2: false, timeout: 10_000 })(options, callback)
      },
      (error: Error) => callback(error, null)
    )
  }
