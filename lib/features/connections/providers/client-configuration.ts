import { digestOf } from '@waystation/base/digest.ts'
import type { OAuthConfig } from '@waystation/protocol/connection/integration.ts'
import * as oauth from 'openid-client'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { discoverMetadata, fetchOver, mayUseHttp, patience } from './discover-metadata.ts'
import { ProviderError } from './provider.ts'

type ClientSettings = { service: string; config: OAuthConfig; clientSecret?: string | undefined }

/**
 * Returns the library's configuration for a client of an authorization server. If the configuration names an
 * issuer, its metadata is discovered (Discovery 1.0, or else RFC 8414) and cached for ten minutes. Throws the
 * errors of `openid-client`.
 */
export async function clientConfiguration(
  ctx: Ctx,
  { service, config, clientSecret }: ClientSettings
): Promise<oauth.Configuration> {
  const auth = authOf(config, clientSecret)
  const metadata =
    config.issuer === undefined ? metadataFromConfig(config) : await discoverMetadata(ctx, config.issuer)
  const methods = metadata.code_challenge_methods_supported
  if (methods !== undefined && !methods.includes('S256'))
    throw new ProviderError(`${service} does not support PKCE with S256, which Waystation requires.`)
  const server = new oauth.Configuration(metadata, config.clientId, clientSecret, auth)
  if (mayUseHttp(metadata.issuer)) oauth.allowInsecureRequests(server)
  server[oauth.customFetch] = fetchOver(ctx.ports.fetch)
  server.timeout = patience
  return server
}

/**
 * Endpoints that are configured separately have no issuer, so a placeholder is used that differs from every
 * real issuer.
 */
const metadataFromConfig = (config: OAuthConfig): oauth.ServerMetadata => ({
  issuer: `${config.tokenEndpoint}#${digestOf(config.authorizationEndpoint ?? config.deviceAuthorizationEndpoint).slice(0, 8)}`,
  authorization_endpoint: config.authorizationEndpoint,
  token_endpoint: config.tokenEndpoint,
  revocation_endpoint: config.revocationEndpoint,
  device_authorization_endpoint: config.deviceAuthorizationEndpoint
})

function authOf({ clientAuth }: OAuthConfig, clientSecret: string | undefined): oauth.ClientAuth {
  if (clientAuth === 'none' || clientSecret === undefined) return oauth.None()
  return clientAuth === 'client_secret_post'
    ? oauth.ClientSecretPost(clientSecret)
    : clientSecretBasic(clientSecret)
}

/**
 * HTTP Basic by RFC 6749 (2.3.1 and appendix B). The library escapes more than a form does (`-` becomes
 * `%2D`). Servers that do not decode it would see another client.
 */
const clientSecretBasic =
  (clientSecret: string): oauth.ClientAuth =>
  (_, { client_id }, __, headers) => {
    const pair = [client_id, clientSecret].map(text => new URLSearchParams({ '': text }).toString().slice(1))
    headers.set('authorization', `Basic ${Buffer.from(pair.join(':')).toString('base64')}`)
  }
