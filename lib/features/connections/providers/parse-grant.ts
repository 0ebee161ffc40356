import type { OAuthConfig } from '@waystation/protocol/connection/integration.ts'
import type * as oauth from 'openid-client'
import type { Grant } from './provider.ts'

/** The maximum lifetime of an access token in seconds: ten years. A provider can send any number. */
const maxSeconds = 10 * 365 * 24 * 3600

/**
 * Converts a token response. If it names no scopes, the requested ones apply (RFC 6749, 5.1). Throws if a
 * token has characters that a header cannot carry (RFC 6749, A.12 and A.17).
 */
export function parseGrant(
  tokens: oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers,
  config: OAuthConfig
): Grant {
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
    ...(seconds === undefined ? {} : { expiresIn: Math.min(seconds, maxSeconds) }),
    ...(account === undefined ? {} : { account: account.slice(0, 200) })
  }
}

const isToken = (text: string): boolean => /^[\x20-\x7e]+$/.test(text)
