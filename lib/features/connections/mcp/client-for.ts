import type { ServerMetadata } from 'openid-client'
import type { Integration } from '#lib/features/connections/integration.ts'
import { ProviderRefused } from '#lib/features/connections/providers/provider.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Authority } from '#lib/protocol/connection/integration.ts'
import { clientDocumentOf } from './client-document.ts'
import { registered } from './registered.ts'

/** A client of an authorization server, and how it says who it is at the token endpoint. */
export type Client = Pick<Authority, 'clientId' | 'clientAuth'>

/**
 * As whom this server asks there, in the specification's order: the client that an owner registered by hand, else the one
 * whose ID is the address of our own document, else one that registers itself. Where none of it goes: `ProviderRefused`.
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
    throw new ProviderRefused(
      `The authorization server of ${service} does not allow automatic registration. Ask an owner to register this server at ${metadata.issuer.slice(0, 200)} and to save the client ID (and secret) under Connections.`
    )
  return registered(ctx, integration.integration, metadata, authMethodOf(service, metadata))
}

/** The best of the ways that the token endpoint takes; RFC 8414: HTTP Basic where it does not say. */
function authMethodOf(service: string, metadata: ServerMetadata): Client['clientAuth'] {
  const taken = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const best = (['client_secret_basic', 'client_secret_post', 'none'] as const).find(one =>
    taken.includes(one)
  )
  if (best !== undefined) return best
  throw new ProviderRefused(
    `Waystation does not support any client authentication method that the authorization server of ${service} accepts.`
  )
}
