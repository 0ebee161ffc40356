import type { Integration } from '#lib/features/connections/integration.ts'
import { authorityOf, clientOf } from '#lib/features/connections/mcp/authority.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Authority } from '#lib/protocol/connection/integration.ts'
import { oauthProvider } from './oauth.ts'
import { type Provider, ProviderRefused } from './provider.ts'

/**
 * The service that gives consent for an integration. Of an MCP server it is looked up; `authority` is who gave something
 * before, which is asked and nobody else, whatever the server says by now; null: nobody did. Throws `ProviderRefused`.
 */
export async function providerOf(
  ctx: Ctx,
  integration: Integration,
  authority?: Authority | null
): Promise<Provider> {
  if (integration.mcp === undefined) return oauthProvider(ctx, integration)
  if (authority === null)
    throw new ProviderRefused(
      `This connection was not made through the MCP sign-in of ${integration.service}. Connect again.`
    )
  const found = authority === undefined ? await authorityOf(ctx, integration) : { authority, scopes: [] }
  const { clientSecret: _, ...rest } = integration
  const provider = oauthProvider(ctx, { ...rest, ...(await clientOf(ctx, integration, found.authority)) })
  return {
    ...provider,
    async authorizeUrl({ state, scopes }) {
      const all = [...new Set([...found.scopes, ...scopes])]
      const { url, kept } = await provider.authorizeUrl({ state, scopes: all })
      return { url, kept: { ...kept, authority: found.authority } }
    }
  }
}
