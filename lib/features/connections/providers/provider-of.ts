import type { Authority } from '@waystation/protocol/connection/integration.ts'
import type { Integration } from '#lib/features/connections/integration.ts'
import { authorityOf, clientOf } from '#lib/features/connections/mcp/authority.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { oauthProvider } from './oauth.ts'
import { type Provider, ProviderError } from './provider.ts'

/**
 * Returns the OAuth provider of an integration. For an MCP server it is discovered. If `authority` is set,
 * the provider that granted the credential is used, even if the server now names another one. Throws
 * `ProviderError` if it is null: the credential did not come from an MCP sign-in.
 */
export async function providerOf(
  ctx: Ctx,
  integration: Integration,
  authority?: Authority | null
): Promise<Provider> {
  if (integration.mcp === undefined) return oauthProvider(ctx, integration)
  if (authority === null)
    throw new ProviderError(
      `This connection was not made through the MCP sign-in of ${integration.service}. Connect again.`
    )
  const resolved = authority === undefined ? await authorityOf(ctx, integration) : { authority, scopes: [] }
  const { clientSecret: _, ...rest } = integration
  const provider = oauthProvider(ctx, { ...rest, ...(await clientOf(ctx, integration, resolved.authority)) })
  return {
    ...provider,
    async authorizeUrl({ state, scopes }) {
      const allScopes = [...new Set([...resolved.scopes, ...scopes])]
      const { url, flow } = await provider.authorizeUrl({ state, scopes: allScopes })
      return { url, flow: { ...flow, authority: resolved.authority } }
    }
  }
}
