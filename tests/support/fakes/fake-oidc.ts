import { generateKeyPairSync, sign } from 'node:crypto'
import {
  type FakePerson,
  type FakeProvider,
  sendJson,
  startCodeFlow
} from '#tests/support/fakes/code-flow.ts'

/** Errors of the provider: claims of its ID tokens, and the issuer in its metadata. Read at each request. */
export type OidcFaults = { claims?: Record<string, unknown>; issuer?: string }

/** Starts an OpenID Connect provider (Core 1.0, Discovery 1.0) with RS256 ID tokens on a real HTTP server. */
export function startFakeOidc(people: readonly FakePerson[], faults: OidcFaults = {}): Promise<FakeProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const toJwt = (claims: object) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const input = `${part({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${part(claims)}`
    return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
  }
  return startCodeFlow(people, {
    authorize: '/authorize',
    token: '/token',
    iss: true,
    redeemed({ person, nonce }, issuer) {
      const now = Math.floor(Date.now() / 1000)
      const { account: sub, name, login, email, verified = false } = person
      const userClaims = {
        sub,
        name,
        preferred_username: login,
        ...(email === undefined ? {} : { email, email_verified: verified })
      }
      return {
        access_token: `token of ${sub}`,
        token_type: 'Bearer',
        expires_in: 60,
        id_token: toJwt({
          iss: issuer,
          aud: 'waystation',
          iat: now,
          exp: now + 60,
          nonce,
          ...userClaims,
          ...faults.claims
        })
      }
    },
    refused: (response, error) => sendJson(response, { error }, error === 'invalid_client' ? 401 : 400),
    other(request, response, issuer) {
      if (request.url === '/.well-known/openid-configuration')
        return sendJson(response, {
          issuer: faults.issuer ?? issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true
        })
      if (request.url === '/jwks')
        return sendJson(response, {
          keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }]
        })
      response.writeHead(404).end()
    }
  })
}
