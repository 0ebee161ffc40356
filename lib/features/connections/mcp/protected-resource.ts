import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js'
import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js'
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import { type OutboundResponse, responseOf } from '@waystation/egress'
import { processResourceDiscoveryResponse } from 'oauth4webapi'
import { ProviderError } from '#lib/features/connections/providers/provider.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * An MCP server as the resource of tokens: its authorization server and the scopes that it requests (none if
 * it does not say).
 */
export type ProtectedResource = { resource: string; issuer: string; scopes: string[] }

const requestOptions = { redirect: 'manual', maxBytes: 256 * 1024, timeout: 10_000 } as const

/**
 * Finds the authorization server of an MCP server (RFC 9728; MCP authorization, "Protected Resource Metadata
 * Discovery"). Its metadata is at the URL that its `401` names, or at the well-known URL for its path, or at
 * that of its origin. Redirects are not followed. Throws `ProviderError` for metadata of another resource.
 * Outbound errors are passed on.
 */
export async function protectedResource(
  ctx: Ctx,
  service: string,
  server: string
): Promise<ProtectedResource> {
  const { resourceMetadataUrl, scope } = await challengeOf(ctx, server)
  for (const url of metadataUrls(server, resourceMetadataUrl)) {
    assertSecure(service, server, url.href)
    const response = await ctx.ports.fetch(url.href, {
      ...requestOptions,
      headers: { accept: 'application/json' }
    })
    if (response.status !== 200) continue
    const metadata = await readMetadata(service, server, response)
    const [issuer] = metadata.authorization_servers ?? []
    if (issuer === undefined || !URL.canParse(issuer))
      throw new ProviderError(`${service} does not name an authorization server (RFC 9728).`)
    assertSecure(service, server, issuer)
    const scopes = scope?.split(' ').filter(Boolean) ?? metadata.scopes_supported ?? []
    return { resource: metadata.resource, issuer, scopes }
  }
  throw new ProviderError(
    `${service} publishes no metadata about its authorization server (RFC 9728), so sign-in is not possible.`
  )
}

/** Returns the server's challenge to a request without a token. It is empty if the server requires none. */
async function challengeOf(ctx: Ctx, server: string) {
  const response = await ctx.ports.fetch(server, {
    ...requestOptions,
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
  return response.status === 401 ? extractWWWAuthenticateParams(responseOf(response)) : {}
}

function metadataUrls(server: string, challengeUrl: URL | undefined): URL[] {
  if (challengeUrl !== undefined) return [challengeUrl]
  const { pathname, origin } = new URL(server)
  const path = pathname.replace(/\/$/, '')
  const wellKnown = new URL('/.well-known/oauth-protected-resource', origin)
  return path === '' ? [wellKnown] : [new URL(wellKnown.href + path), wellKnown]
}

/**
 * Reads the metadata, which must be for this server or a resource that contains it. Otherwise a token for
 * another resource could be sent here.
 */
async function readMetadata(service: string, server: string, response: OutboundResponse) {
  const metadata = await processResourceDiscoveryResponse(resourceIn(response.text()), responseOf(response))
  if (!checkResourceAllowed({ requestedResource: server, configuredResource: metadata.resource }))
    throw new ProviderError(
      `${service} identifies itself as ${metadata.resource.slice(0, 200)}, which does not match ${server}.`
    )
  return metadata
}

/**
 * Returns the resource that the metadata names, for the library to compare. If it is invalid, returns a URL
 * that matches nothing.
 */
function resourceIn(text: string): URL {
  try {
    return new URL(String((JSON.parse(text) as { resource?: unknown }).resource))
  } catch {
    return new URL('about:blank')
  }
}

/**
 * Throws unless an address that receives codes or tokens uses TLS. Plain HTTP is permitted if the server
 * itself uses it on this machine.
 */
function assertSecure(service: string, server: string, address: string): void {
  const { protocol } = new URL(address)
  if (protocol === 'https:' || (protocol === 'http:' && new URL(server).protocol === 'http:')) return
  throw new ProviderError(
    `The metadata of ${service} names ${address.slice(0, 200)}, but credentials are sent over https only.`
  )
}
