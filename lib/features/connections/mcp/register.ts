import * as oauth from 'oauth4webapi'
import type { ServerMetadata } from 'openid-client'
import { mayBePlain, patience } from '#lib/features/connections/providers/look-up.ts'
import { ProviderRefused } from '#lib/features/connections/providers/provider.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { responseOf } from '#lib/net/response-of.ts'
import { clientMetadata } from './client-document.ts'
import type { Client } from './client-for.ts'

type Registered = Client & { clientSecret?: string; expiresAt?: number }

/**
 * Registers this server at an authorization server (RFC 7591). `expiresAt`: when the secret runs out, in seconds since 1970.
 * What it registers as is what it asked for, unless the answer names another way that it knows.
 */
export async function register(
  ctx: Ctx,
  metadata: ServerMetadata,
  auth: Client['clientAuth']
): Promise<Registered> {
  const { origin } = ctx.ports
  const answer = await oauth.dynamicClientRegistrationRequest(
    metadata as oauth.AuthorizationServer,
    {
      ...clientMetadata(origin),
      token_endpoint_auth_method: auth,
      application_type: origin.startsWith('https:') ? 'web' : 'native'
    },
    {
      [oauth.allowInsecureRequests]: mayBePlain(metadata.issuer),
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
  const client = await oauth.processDynamicClientRegistrationResponse(answer)
  const said = client.token_endpoint_auth_method ?? auth
  if (said !== 'client_secret_basic' && said !== 'client_secret_post' && said !== 'none')
    throw new ProviderRefused(
      `${metadata.issuer} chose the client authentication method ${String(said)}, which Waystation does not support.`
    )
  const { client_id: clientId, client_secret: secret, client_secret_expires_at: expiresAt } = client
  if (said === 'none' || typeof secret !== 'string') return { clientId, clientAuth: 'none' }
  return {
    clientId,
    clientAuth: said,
    clientSecret: secret,
    ...(typeof expiresAt === 'number' && expiresAt > 0 ? { expiresAt } : {})
  }
}

/** Servers in use leave out that a secret does not run out, which RFC 7591 (3.2.1) has them say and the library insists on. */
async function withExpiry(response: Response): Promise<Response> {
  if (response.status !== 201) return response
  const text = await response.text()
  const { status, headers } = response
  try {
    const said: unknown = JSON.parse(text)
    if (
      typeof said === 'object' &&
      said !== null &&
      'client_secret' in said &&
      !('client_secret_expires_at' in said)
    )
      return Response.json({ ...said, client_secret_expires_at: 0 }, { status })
  } catch {
    // What is not JSON is the library's to refuse.
  }
  return new Response(text, { status, headers })
}
