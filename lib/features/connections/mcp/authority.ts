import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js'
import type { Integration } from '#lib/features/connections/integration.ts'
import { lookUp } from '#lib/features/connections/providers/look-up.ts'
import { ProviderRefused } from '#lib/features/connections/providers/provider.ts'
import { refusalOf } from '#lib/features/connections/providers/refused.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type Authority, OAuthConfig } from '#lib/protocol/connection/integration.ts'
import { clientFor } from './client-for.ts'
import { protectedResource } from './protected-resource.ts'
import { registeredSecret } from './registered.ts'

/**
 * Who gives tokens for an MCP server now, this server's client there, and the scopes to ask for: those of its configuration,
 * else of the server's challenge, else all that it knows. `offline_access` is asked for where the authorization server
 * knows it (SEP-2207), since calls may wait for days. Throws `ProviderRefused`.
 */
export async function authorityOf(
  ctx: Ctx,
  integration: Integration
): Promise<{ authority: Authority; scopes: string[] }> {
  const { service, mcp } = integration
  if (mcp === undefined) throw new Error('The integration is not an MCP server.')
  try {
    const { resource, issuer, scopes } = await protectedResource(ctx, service, mcp.url)
    const metadata = await lookUp(ctx, issuer, 'mcp')
    // Saying nothing is no support either: the specification has clients refuse then.
    if (!metadata.code_challenge_methods_supported?.includes('S256'))
      throw new ProviderRefused(
        `The authorization server of ${service} does not declare support for PKCE with S256, which Waystation requires.`
      )
    const client = await clientFor(ctx, integration, metadata)
    const wanted = mcp.scopes ?? scopes
    const offline = metadata.scopes_supported?.includes('offline_access') ? ['offline_access'] : []
    return {
      authority: { issuer: metadata.issuer, resource, ...client },
      scopes: [...new Set([...wanted, ...offline])]
    }
  } catch (error) {
    throw refusalOf(service, error)
  }
}

/** An authority as the configuration that `oauthProvider` works with, and the client's secret there. */
export async function clientOf(
  ctx: Ctx,
  { integration, service, mcp, clientSecret: ownSecret }: Integration,
  authority: Authority
): Promise<{ oauth: OAuthConfig; clientSecret?: string }> {
  const { issuer, resource, clientId, clientAuth } = authority
  // Somebody may have changed the address while a person was away for consent.
  if (
    mcp === undefined ||
    !checkResourceAllowed({ requestedResource: mcp.url, configuredResource: resource })
  )
    throw new ProviderRefused(`The URL of ${service} has changed. Connect again.`)
  const oauth = OAuthConfig.parse({ issuer, resource, clientId, clientAuth })
  if (clientAuth === 'none') return { oauth }
  const clientSecret =
    clientId === mcp.clientId ? ownSecret : await registeredSecret(ctx, integration, { issuer, clientId })
  if (clientSecret === undefined)
    throw new ProviderRefused(`The registration of this server at ${service} has changed. Connect again.`)
  return { oauth, clientSecret }
}
