import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { EgressPolicy } from './egress-policy.ts'
import { pinnedLookup } from './pinned-lookup.ts'
import { permittedAddresses, targetOf } from './target.ts'

const agents = new WeakMap<EgressPolicy, Agent>()
const streamingAgents = new WeakMap<EgressPolicy, Agent>()

/**
 * Returns the connection pool of a policy. It opens all sockets: it checks the target, resolves and checks all its
 * addresses, and connects only to those. So a second lookup cannot return other addresses (DNS rebinding). undici does
 * not call `lookup` for IP addresses, so the check runs before it in both cases.
 * A separate `Agent` ignores proxies in the environment. Idle connections are kept for a second, or as long as the
 * server says, at most 15 s. A connection that died unnoticed would fail a POST that must not be sent twice.
 */
export const agentFor = (policy: EgressPolicy): Agent =>
  // `safeFetch` has one timeout for the whole request, so undici's timeouts are not needed.
  cachedAgent(agents, policy, { headersTimeout: 0, bodyTimeout: 0 })

/** Like `agentFor`, with undici's timeouts: five minutes without headers or data. */
export const streamingAgentFor = (policy: EgressPolicy): Agent => cachedAgent(streamingAgents, policy, {})

function cachedAgent(
  cache: WeakMap<EgressPolicy, Agent>,
  policy: EgressPolicy,
  timeouts: Agent.Options
): Agent {
  const cached = cache.get(policy)
  if (cached) return cached
  const agent = new Agent({
    connect: pinnedConnector(policy),
    allowH2: false,
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 15_000,
    ...timeouts
  })
  cache.set(policy, agent)
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
