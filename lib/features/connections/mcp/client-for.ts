import type { ServerMetadata } from 'openid-client'
import type { Integration } from '#lib/features/connections/integration.ts'
import { ProviderError } from '#lib/features/connections/providers/provider.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { clientDocumentOf } from './client-document.ts'
import type { Client } from './oauth-client.ts'
import { registeredClient } from './registered-client.ts'

/**
 * Returns this server's client, in the specification's order: one that an owner registered, or one identified
 * by the client metadata document, or one that registers itself. Throws `ProviderError` if none is
 * possible.
 */
export async function clientFor(
  ctx: Ctx,
  integration: Integration,
  metadata: ServerMetadata
): Promise<Client> {
  const { service, mcp, clientSecret } = integration
  if (mcp?.clientId !== undefined) {
    const clientAuth = clientSecret === undefined ? 'none' : authMethodOf(service, metadata)
    return { clientId: mcp.clientId, clientAuth }
  }
  const document = clientDocumentOf(ctx.ports.origin)
  if (metadata.client_id_metadata_document_supported === true && document !== undefined)
    return { clientId: document.client_id, clientAuth: 'none' }
  if (metadata.registration_endpoint === undefined)
    throw new ProviderError(
      `The authorization server of ${service} does not allow automatic registration. Ask an owner to register this server at ${metadata.issuer.slice(0, 200)} and to save the client ID (and secret) under Connections.`
    )
  return registeredClient(ctx, integration.integration, metadata, authMethodOf(service, metadata))
}

/** Returns the best method that the token endpoint supports. RFC 8414 specifies HTTP Basic as the default. */
function authMethodOf(service: string, metadata: ServerMetadata): Client['clientAuth'] {
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const preferred = (['client_secret_basic', 'client_secret_post', 'none'] as const).find(method =>
    supported.includes(method)
  )
  if (preferred !== undefined) return preferred
  throw new ProviderError(
    `Waystation does not support any client authentication method that the authorization server of ${service} accepts.`
  )
}
