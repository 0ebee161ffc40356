import { LRUCache } from 'lru-cache'
import * as oauth from 'openid-client'
import type { Ctx, Outbound } from '#lib/kernel/ctx.ts'
import { isLoopback } from '#lib/kernel/is-loopback.ts'
import { responseOf } from '#lib/net/response-of.ts'
import { conforming } from './conforming.ts'
import { ProviderRefused } from './provider.ts'

/** What was looked up of an authorization server, by its issuer. Nothing of a client is in it. */
const known = new LRUCache<string, oauth.ServerMetadata>({ max: 200, ttl: 10 * 60_000 })

/** How long a provider may take to answer one request, in seconds. */
export const patience = 10

type Place = 'oidc' | 'oauth2' | 'inserted'

/** Where OpenID providers are looked for first, and where MCP's specification says to look first. */
const orders = {
  oidc: ['oidc', 'oauth2', 'inserted'],
  mcp: ['oauth2', 'inserted', 'oidc']
} satisfies Record<string, Place[]>

/**
 * The metadata of an authorization server: by Discovery 1.0, by RFC 8414, or Discovery's with the well-known part in front of
 * the issuer's path. Its `issuer` is the one that was asked for. Believed for ten minutes. Throws what `openid-client` throws
 * of the first place.
 */
export async function lookUp(
  ctx: Ctx,
  issuer: string,
  order: keyof typeof orders = 'oidc'
): Promise<oauth.ServerMetadata> {
  const found = known.get(issuer)
  if (found !== undefined) return found
  const faults: unknown[] = []
  for (const place of orders[order]) {
    try {
      const metadata = await lookAt(ctx, issuer, place)
      if (metadata === undefined) continue
      known.set(issuer, metadata)
      return metadata
    } catch (fault) {
      faults.push(fault)
    }
  }
  throw faults[0]
}

async function lookAt(ctx: Ctx, issuer: string, place: Place): Promise<oauth.ServerMetadata | undefined> {
  const url = new URL(issuer)
  const inserted = place === 'inserted'
  if (inserted && url.pathname === '/') return undefined
  const at = inserted ? new URL(`/.well-known/openid-configuration${url.pathname}`, url) : url
  const server = await oauth.discovery(at, 'looking', undefined, oauth.None(), {
    [oauth.customFetch]: fetchOver(ctx.ports.fetch),
    timeout: patience,
    execute: mayBePlain(issuer) ? [oauth.allowInsecureRequests] : [],
    algorithm: place === 'oauth2' ? 'oauth2' : 'oidc'
  })
  const metadata = { ...server.serverMetadata() }
  // The library compares issuers only where it made the address itself.
  if (inserted && metadata.issuer !== issuer)
    throw new ProviderRefused(
      `The metadata of ${issuer} names another issuer: ${metadata.issuer.slice(0, 200)}.`
    )
  return metadata
}

/** Plain HTTP is for this machine only. */
export function mayBePlain(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'http:' && isLoopback(url.hostname)
}

/** The library's requests, by the one way out; what they are answered is put into the form that the library reads. */
export const fetchOver =
  (fetch: Outbound): oauth.CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await fetch(url, {
      method,
      headers: { ...headers, accept: 'application/json' },
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      redirect: 'manual',
      maxBytes: 1024 * 1024,
      ...(signal === undefined || signal === null ? {} : { signal })
    })
    return method === 'POST' ? conforming(answer) : responseOf(answer)
  }
