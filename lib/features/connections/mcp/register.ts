import { responseOf } from '@waystation/egress'
import * as oauth from 'oauth4webapi'
import type { ServerMetadata } from 'openid-client'
import { mayUseHttp, patience } from '#lib/features/connections/providers/discover-metadata.ts'
import { ProviderError } from '#lib/features/connections/providers/provider.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { clientMetadata } from './client-document.ts'
import type { Client } from './oauth-client.ts'

type Registered = Client & { clientSecret?: string; expiresAt?: number }

/**
 * Registers this server at an authorization server (RFC 7591). `expiresAt` is the expiry of the secret, in
 * seconds since 1970. The server may choose another authentication method than `auth` if this server supports
 * it. Throws `ProviderError` otherwise.
 */
export async function register(
  ctx: Ctx,
  metadata: ServerMetadata,
  auth: Client['clientAuth']
): Promise<Registered> {
  const { origin } = ctx.ports
  const response = await oauth.dynamicClientRegistrationRequest(
    metadata as oauth.AuthorizationServer,
    {
      ...clientMetadata(origin),
      token_endpoint_auth_method: auth,
      application_type: origin.startsWith('https:') ? 'web' : 'native'
    },
    {
      [oauth.allowInsecureRequests]: mayUseHttp(metadata.issuer),
      [oauth.customFetch]: async (url, { method, headers, body }) =>
        withExpiry(
          await ctx.ports
            .fetch(url, {
              method,
              headers,
              body: String(body),
              redirect: 'manual',
              maxBytes: 256 * 1024,
              timeout: patience * 1000
            })
            .then(responseOf)
        )
    }
  )
  const client = await oauth.processDynamicClientRegistrationResponse(response)
  const method = client.token_endpoint_auth_method ?? auth
  if (method !== 'client_secret_basic' && method !== 'client_secret_post' && method !== 'none')
    throw new ProviderError(
      `${metadata.issuer} chose the client authentication method ${String(method)}, which Waystation does not support.`
    )
  const { client_id: clientId, client_secret: secret, client_secret_expires_at: expiresAt } = client
  if (method === 'none' || typeof secret !== 'string') return { clientId, clientAuth: 'none' }
  return {
    clientId,
    clientAuth: method,
    clientSecret: secret,
    ...(typeof expiresAt === 'number' && expiresAt > 0 ? { expiresAt } : {})
  }
}

/**
 * Adds the missing `client_secret_expires_at`, which RFC 7591 (3.2.1) requires and the library checks. Some
 * servers omit it.
 */
async function withExpiry(response: Response): Promise<Response> {
  if (response.status !== 201) return response
  const text = await response.text()
  const { status, headers } = response
  try {
    const body: unknown = JSON.parse(text)
    if (
      typeof body === 'object' &&
      body !== null &&
      'client_secret' in body &&
      !('client_secret_expires_at' in body)
    )
      return Response.json({ ...body, client_secret_expires_at: 0 }, { status })
  } catch {
    // If it is not JSON, the library rejects it.
  }
  return new Response(text, { status, headers })
}
