import type * as oauth from 'openid-client'
import type { OAuthConfig } from '#lib/protocol/integration.ts'
import type { Granted } from './provider.ts'

/** Scopes that a provider does not name are those that were asked for (RFC 6749, 5.1). */
export function grantedBy(
  tokens: oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers,
  config: OAuthConfig
): Granted {
  const seconds = tokens.expiresIn()
  const claims = tokens.claims()
  const account = [claims?.preferred_username, claims?.email, claims?.name].find(
    (name): name is string => typeof name === 'string' && name !== ''
  )
  return {
    credential: {
      accessToken: tokens.access_token,
      ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token })
    },
    scopes: (tokens.scope ?? config.scopes.join(' ')).split(/[\s,]+/).filter(Boolean),
    ...(seconds === undefined ? {} : { expiresIn: seconds }),
    ...(account === undefined ? {} : { account: account.slice(0, 200) })
  }
}
