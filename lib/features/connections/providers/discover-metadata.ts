import { isLoopback } from '@waystation/base/is-loopback.ts'
import { type Outbound, responseOf } from '@waystation/egress'
import { LRUCache } from 'lru-cache'
import * as oauth from 'openid-client'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { normalizeResponse } from './normalize-response.ts'
import { ProviderError } from './provider.ts'

/** The metadata of authorization servers by issuer. It contains no data of clients. */
const cache = new LRUCache<string, oauth.ServerMetadata>({ max: 200, ttl: 10 * 60_000 })

/** How long a provider may take to respond to a request, in seconds. */
export const patience = 10

type Location = 'oidc' | 'oauth2' | 'inserted'

/** The order of locations for OpenID providers, and the order that the MCP specification requires. */
const orders = {
  oidc: ['oidc', 'oauth2', 'inserted'],
  mcp: ['oauth2', 'inserted', 'oidc']
} satisfies Record<string, Location[]>

/**
 * Returns the metadata of an authorization server, from one of three well-known locations: Discovery 1.0, RFC
 * 8414, or Discovery with the well-known part before the issuer's path. Its `issuer` is always the requested
 * one. Cached for ten minutes. If all fail, throws the error of `openid-client` for the first location.
 */
export async function discoverMetadata(
  ctx: Ctx,
  issuer: string,
  order: keyof typeof orders = 'oidc'
): Promise<oauth.ServerMetadata> {
  const cached = cache.get(issuer)
  if (cached !== undefined) return cached
  const errors: unknown[] = []
  for (const location of orders[order]) {
    try {
      const metadata = await fetchMetadata(ctx, issuer, location)
      if (metadata === undefined) continue
      cache.set(issuer, metadata)
      return metadata
    } catch (error) {
      errors.push(error)
    }
  }
  throw errors[0]
}

async function fetchMetadata(
  ctx: Ctx,
  issuer: string,
  location: Location
): Promise<oauth.ServerMetadata | undefined> {
  const url = new URL(issuer)
  const inserted = location === 'inserted'
  if (inserted && url.pathname === '/') return undefined
  const address = inserted ? new URL(`/.well-known/openid-configuration${url.pathname}`, url) : url
  const server = await oauth.discovery(address, 'looking', undefined, oauth.None(), {
    [oauth.customFetch]: fetchOver(ctx.ports.fetch),
    timeout: patience,
    execute: mayUseHttp(issuer) ? [oauth.allowInsecureRequests] : [],
    algorithm: location === 'oauth2' ? 'oauth2' : 'oidc'
  })
  const metadata = { ...server.serverMetadata() }
  // The library compares issuers only if it built the URL itself.
  if (inserted && metadata.issuer !== issuer)
    throw new ProviderError(
      `The metadata of ${issuer} names another issuer: ${metadata.issuer.slice(0, 200)}.`
    )
  return metadata
}

/** Returns whether an address may use plain HTTP: only if it is on this machine. */
export function mayUseHttp(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'http:' && isLoopback(url.hostname)
}

/**
 * Sends the library's requests with the server's outbound fetch, and converts responses to the format that it
 * requires.
 */
export const fetchOver =
  (fetch: Outbound): oauth.CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const response = await fetch(url, {
      method,
      headers: { ...headers, accept: 'application/json' },
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      redirect: 'manual',
      maxBytes: 1024 * 1024,
      ...(signal === undefined || signal === null ? {} : { signal })
    })
    return method === 'POST' ? normalizeResponse(response) : responseOf(response)
  }
