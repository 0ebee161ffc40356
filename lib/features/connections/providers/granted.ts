import type * as oauth from 'openid-client'
import type { OAuthConfig } from '#lib/protocol/connection/integration.ts'
import type { Granted } from './provider.ts'

/** The longest that an access token counts as valid, in seconds: ten years. A provider can name any number. */
const mostSeconds = 10 * 365 * 24 * 3600

/**
 * Scopes that a provider does not name are those that were asked for (RFC 6749, 5.1). Throws when a token is no text that a
 * header can carry (RFC 6749, A.12 and A.17).
 */
export function grantedBy(
  tokens: oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers,
  config: OAuthConfig
): Granted {
  if (![tokens.access_token, tokens.refresh_token ?? tokens.access_token].every(isToken))
    throw Object.assign(new Error('A token in the response is not printable ASCII.'), {
      code: 'TOKEN_IS_NOT_PRINTABLE'
    })
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
    ...(seconds === undefined ? {} : { expiresIn: Math.min(seconds, mostSeconds) }),
    ...(account === undefined ? {} : { account: account.slice(0, 200) })
  }
}

const isToken = (text: string): boolean => /^[\x20-\x7e]+$/.test(text)
