import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js'
import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js'
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import { processResourceDiscoveryResponse } from 'oauth4webapi'
import { ProviderRefused } from '#lib/features/connections/providers/provider.ts'
import type { Ctx, OutboundAnswer } from '#lib/kernel/ctx.ts'
import { responseOf } from '#lib/net/response-of.ts'

/** An MCP server as the thing that tokens are for: who gives them, and which scopes it asks for (none: it does not say). */
export type ProtectedResource = { resource: string; issuer: string; scopes: string[] }

const limits = { redirect: 'manual', maxBytes: 256 * 1024, timeout: 10_000 } as const

/**
 * Asks an MCP server who gives tokens for it (RFC 9728; MCP authorization, "Protected Resource Metadata Discovery"): its metadata
 * stands where its `401` says, else at the well-known address behind which its path stands, else at its origin's. No
 * redirect is followed. Throws `ProviderRefused` for metadata of another resource, and outbound errors as they are.
 */
export async function protectedResource(
  ctx: Ctx,
  service: string,
  server: string
): Promise<ProtectedResource> {
  const { resourceMetadataUrl, scope } = await challengeOf(ctx, server)
  for (const place of placesOf(server, resourceMetadataUrl)) {
    checkPlain(service, server, place.href)
    const answer = await ctx.ports.fetch(place.href, { ...limits, headers: { accept: 'application/json' } })
    if (answer.status !== 200) continue
    const metadata = await read(service, server, answer)
    const [issuer] = metadata.authorization_servers ?? []
    if (issuer === undefined || !URL.canParse(issuer))
      throw new ProviderRefused(`${service} does not name an authorization server (RFC 9728).`)
    checkPlain(service, server, issuer)
    const scopes = scope?.split(' ').filter(Boolean) ?? metadata.scopes_supported ?? []
    return { resource: metadata.resource, issuer, scopes }
  }
  throw new ProviderRefused(
    `${service} publishes no metadata about its authorization server (RFC 9728), so sign-in is not possible.`
  )
}

/** What the server says to somebody without a token. One that lets them in says nothing. */
async function challengeOf(ctx: Ctx, server: string) {
  const answer = await ctx.ports.fetch(server, {
    ...limits,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { name: 'waystation', version: '1' }
      }
    })
  })
  return answer.status === 401 ? extractWWWAuthenticateParams(responseOf(answer)) : {}
}

function placesOf(server: string, told: URL | undefined): URL[] {
  if (told !== undefined) return [told]
  const { pathname, origin } = new URL(server)
  const path = pathname.replace(/\/$/, '')
  const wellKnown = new URL('/.well-known/oauth-protected-resource', origin)
  return path === '' ? [wellKnown] : [new URL(wellKnown.href + path), wellKnown]
}

/** The metadata, which must be of this server or of what it is a part of: a token for another one would be good there. */
async function read(service: string, server: string, answer: OutboundAnswer) {
  const metadata = await processResourceDiscoveryResponse(resourceIn(answer.text()), responseOf(answer))
  if (!checkResourceAllowed({ requestedResource: server, configuredResource: metadata.resource }))
    throw new ProviderRefused(
      `${service} identifies itself as ${metadata.resource.slice(0, 200)}, which does not match ${server}.`
    )
  return metadata
}

/** What the metadata says it is about, for the library to compare; nothing: an address that nothing is. */
function resourceIn(text: string): URL {
  try {
    return new URL(String((JSON.parse(text) as { resource?: unknown }).resource))
  } catch {
    return new URL('about:blank')
  }
}

/** Codes and tokens go there, or are decided there: over TLS, unless the server itself is on this machine without it. */
function checkPlain(service: string, server: string, address: string): void {
  const { protocol } = new URL(address)
  if (protocol === 'https:' || (protocol === 'http:' && new URL(server).protocol === 'http:')) return
  throw new ProviderRefused(
    `The metadata of ${service} names ${address.slice(0, 200)}, but credentials are sent over https only.`
  )
}
