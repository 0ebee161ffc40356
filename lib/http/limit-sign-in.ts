import ipaddr from 'ipaddr.js'
import { house } from '#lib/kernel/house.ts'
import { answerWith } from './answer-with.ts'

/** The header in which `server.ts` says whose connection a request came by; what a client put there is overwritten. */
export const peerHeader = 'x-waystation-peer'

/**
 * Holds attempts to sign in from one address to their limit: `429 RATE_LIMITED` past it. Only what begins or ends an attempt
 * counts, not next-auth's other questions.
 */
export const limitSignIn =
  (handle: (request: Request) => Promise<Response>) =>
  (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    return answerWith(request, pathname, async () => {
      if (/^\/api\/auth\/(signin|callback)\//.test(pathname)) {
        await house().ports.heedLimit('signIn', addressOf(request.headers))
      }
      return handle(request)
    })
  }

/**
 * The address that asks: the connection's, or, where that is a proxy's (it is not public), the one that the nearest proxy saw.
 * What stands before it in `X-Forwarded-For`, a client may have written itself.
 */
function addressOf(headers: Headers): string {
  const peer = headers.get(peerHeader) ?? 'unknown'
  const forwarded = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
  return networkOf(isInside(peer) && forwarded ? forwarded.slice(0, 64) : peer)
}

/** An IPv6 address as its /64, since whoever has one address has all of those (RFC 4291, 2.5.4). */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : parsed.toString()
}

const isInside = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() !== 'unicast'
