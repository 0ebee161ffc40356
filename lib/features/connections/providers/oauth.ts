import * as oauth from 'openid-client'
import type { Integration } from '#lib/features/connections/integration.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { publicPaths } from '#lib/kernel/public-paths.ts'
import { clientConfiguration } from './client-configuration.ts'
import { deviceFlow } from './device.ts'
import { parseGrant } from './parse-grant.ts'
import { type Provider, ProviderError } from './provider.ts'
import { providerErrorOf } from './provider-error.ts'

/**
 * Returns any OAuth 2 or OpenID Connect provider, by configuration. It uses the code flow with PKCE (RFC
 * 7636, S256), `state`, a `nonce` for ID tokens, the check of the issuer (RFC 9207) and resource indicators
 * (RFC 8707). `openid-client` runs the checks. Throws `ProviderError` if this server has no client there.
 */
export function oauthProvider(ctx: Ctx, integration: Integration): Provider {
  const { service, clientSecret } = integration
  const config = integration.oauth
  if (config === undefined || config.clientId === '')
    throw new ProviderError(
      `This server is not registered at ${service}. Ask an owner to set up ${service} under Connections.`
    )
  const redirectUri = callbackOf(ctx)
  const resource: Record<string, string> = config.resource === undefined ? {} : { resource: config.resource }
  const server = () => clientConfiguration(ctx, { service, config, clientSecret })
  const ask = <T>(work: (server: oauth.Configuration) => Promise<T>): Promise<T> =>
    server()
      .then(work)
      .catch((error: unknown) => {
        throw providerErrorOf(service, error)
      })
  return {
    authorizeUrl: ({ state, scopes }) =>
      ask(async server => {
        const verifier = oauth.randomPKCECodeVerifier()
        const nonce = scopes.includes('openid') ? oauth.randomNonce() : undefined
        const url = oauth.buildAuthorizationUrl(server, {
          ...config.parameters,
          ...resource,
          redirect_uri: redirectUri,
          state,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
          ...(nonce === undefined ? {} : { nonce })
        })
        return { url: url.href, flow: { verifier, ...(nonce === undefined ? {} : { nonce }) } }
      }),
    exchange: (answer, { state, verifier, nonce }) =>
      ask(async server => {
        const checks = {
          expectedState: state,
          pkceCodeVerifier: verifier,
          ...(nonce === undefined ? {} : { expectedNonce: nonce, idTokenExpected: true })
        }
        const url = new URL(redirectUri + answer.search)
        return parseGrant(await oauth.authorizationCodeGrant(server, url, checks, resource), config)
      }),
    refresh: refreshToken =>
      ask(async server => parseGrant(await oauth.refreshTokenGrant(server, refreshToken, resource), config)),
    revoke: ({ refreshToken, accessToken }) =>
      ask(async server => {
        const token = refreshToken ?? accessToken
        if (token === undefined || server.serverMetadata().revocation_endpoint === undefined) return false
        await oauth.tokenRevocation(server, token)
        return true
      }),
    ...deviceFlow(ask, { service, config, resource })
  }
}

/** Returns the redirect URI for all providers. It must match the registered one exactly (RFC 9700, 2.1). */
export const callbackOf = (ctx: Ctx): string => ctx.ports.origin + publicPaths.connectCallback
