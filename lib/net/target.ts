import { isIP } from 'node:net'
import { type EgressPolicy, permits, type Target } from './egress-policy.ts'
import { bareHost, portOf } from './egress-rule.ts'
import { OutboundError } from './outbound-error.ts'

const longestUrl = 8192

/**
 * Parses a URL once; what comes back is what is checked and what is dialled. `URL` has by then written decimal, octal
 * and hex IPv4, full-width digits, upper case and international names in their one plain form; the trailing dot of
 * `example.com.` is taken off here, so that no two spellings of a host are treated differently.
 */
export function parseTarget(text: string | URL, base?: URL): URL {
  const url = String(text).length <= longestUrl ? URL.parse(String(text), base?.href) : null
  if (!url)
    throw new OutboundError('BAD_URL', 'The URL is not complete. Use one such as https://example.com/page.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError(
      'BAD_URL',
      `The protocol ${url.protocol} is not supported. Use an http or https URL.`
    )
  }
  if (url.username || url.password) {
    throw new OutboundError(
      'BAD_URL',
      'A URL cannot contain a user name or password. Remove the part before the @.'
    )
  }
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  if (!bareHost(url.hostname)) throw new OutboundError('BAD_URL', 'The URL has no host.')
  return url
}

export const targetOf = (url: URL): Target => ({
  protocol: url.protocol,
  host: bareHost(url.hostname),
  port: portOf(url)
})

/**
 * The addresses a connection for `target` may be made to. All of them or none: a name with one address outside and
 * one inside is refused, or a second try would reach the inside. Throws `OutboundError` `BLOCKED_TARGET`, or what
 * `resolve` throws.
 */
export async function permittedAddresses(policy: EgressPolicy, target: Target): Promise<string[]> {
  const addresses = isIP(target.host) ? [target.host] : await policy.resolve(target.host)
  if (addresses.length > 0 && addresses.every(address => permits(policy, target, address))) return addresses
  throw new OutboundError(
    'BLOCKED_TARGET',
    `Blocked: ${target.host} is a private address, or a name for one. ` +
      'To allow it, the server operator can add it to WAYSTATION_EGRESS_ALLOW.'
  )
}
