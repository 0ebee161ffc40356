import { isIP } from 'node:net'
import { type EgressPolicy, permits, type Target } from './egress-policy.ts'
import { bareHost, portOf } from './egress-rule.ts'
import { OutboundError } from './outbound-error.ts'

const maxUrlChars = 8192

/**
 * Parses a URL. The result is what is checked and what is connected to. `URL` normalizes decimal, octal and hex IPv4
 * addresses, full-width digits, upper case and international names. The trailing dot of `example.com.` is removed too,
 * so that all spellings of a host are treated alike. Throws `BAD_URL`.
 */
export function parseTarget(text: string | URL, base?: URL): URL {
  const url = String(text).length <= maxUrlChars ? URL.parse(String(text), base?.href) : null
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

/** Returns the target of a parsed URL. */
export const targetOf = (url: URL): Target => ({
  protocol: url.protocol,
  host: bareHost(url.hostname),
  port: portOf(url)
})

/**
 * Resolves the target and returns its addresses. If any address is not permitted, none is: otherwise a retry could
 * reach a private address of a mixed name. Throws `BLOCKED_TARGET`, or the error of `resolve`.
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
