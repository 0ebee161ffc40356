import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js'
import { type Authority, OAuthConfig } from '@waystation/protocol/connection/integration.ts'
import type { Integration } from '#lib/features/connections/integration.ts'
import { discoverMetadata } from '#lib/features/connections/providers/discover-metadata.ts'
import { ProviderError } from '#lib/features/connections/providers/provider.ts'
import { providerErrorOf } from '#lib/features/connections/providers/provider-error.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { clientFor } from './client-for.ts'
import { protectedResource } from './protected-resource.ts'
import { registeredSecret } from './registered-client.ts'

/**
 * Finds the authorization server of an MCP server, this server's client there, and the scopes to request: the
 * configured ones, or those of the server's challenge, or all that it supports. If supported,
 * `offline_access` is added (SEP-2207), because calls can wait for days. Throws `ProviderError`.
 */
export async function authorityOf(
  ctx: Ctx,
  integration: Integration
): Promise<{ authority: Authority; scopes: string[] }> {
  const { service, mcp } = integration
  if (mcp === undefined) throw new Error('The integration is not an MCP server.')
  try {
    const { resource, issuer, scopes } = await protectedResource(ctx, service, mcp.url)
    const metadata = await discoverMetadata(ctx, issuer, 'mcp')
    // A missing declaration means no support: the specification requires clients to refuse.
    if (!metadata.code_challenge_methods_supported?.includes('S256'))
      throw new ProviderError(
        `The authorization server of ${service} does not declare support for PKCE with S256, which Waystation requires.`
      )
    const client = await clientFor(ctx, integration, metadata)
    const requestedScopes = mcp.scopes ?? scopes
    const offlineScope = metadata.scopes_supported?.includes('offline_access') ? ['offline_access'] : []
    return {
      authority: { issuer: metadata.issuer, resource, ...client },
      scopes: [...new Set([...requestedScopes, ...offlineScope])]
    }
  } catch (error) {
    throw providerErrorOf(service, error)
  }
}

/**
 * Converts an authority to the configuration for `oauthProvider`, with the client's secret. Throws
 * `ProviderError` if the URL or the registration has changed.
 */
export async function clientOf(
  ctx: Ctx,
  { integration, service, mcp, clientSecret: ownSecret }: Integration,
  authority: Authority
): Promise<{ oauth: OAuthConfig; clientSecret?: string }> {
  const { issuer, resource, clientId, clientAuth } = authority
  // The address may have changed while the user was at the consent page.
  if (
    mcp === undefined ||
    !checkResourceAllowed({ requestedResource: mcp.url, configuredResource: resource })
  )
    throw new ProviderError(`The URL of ${service} has changed. Connect again.`)
  const oauth = OAuthConfig.parse({ issuer, resource, clientId, clientAuth })
  if (clientAuth === 'none') return { oauth }
  const clientSecret =
    clientId === mcp.clientId ? ownSecret : await registeredSecret(ctx, integration, { issuer, clientId })
  if (clientSecret === undefined)
    throw new ProviderError(`The registration of this server at ${service} has changed. Connect again.`)
  return { oauth, clientSecret }
}
