import type { JsonWebKey } from 'node:crypto'
import { type Configuration, errors, type JWK } from 'oidc-provider'
import { acmeAt, acmeScopes } from './client.ts'
import { confirmCodePage, deviceConnectedPage, userCodePage } from './device-pages.ts'
import { renderError } from './error-page.ts'
import { derivedKey } from './keys.ts'
import { personOf } from './people.ts'
import { type AcmeStorage, adapterFor } from './store.ts'

/** Options of Acme, the sample OAuth provider. */
export type AcmeOptions = AcmeStorage & {
  /** The public origin of this server, without a trailing slash. */
  origin: string
  /** `AUTH_SECRET`. The key that signs cookies and Waystation's client secret are derived from it. */
  secret: string
  /** The redirect URIs of the client `waystation`. Default: the callback of this server. */
  redirectUris?: string[]
  /** The lifetime of an access token in seconds. Default: 300. */
  accessTokenSeconds?: number
}

const day = 24 * 3600

/** The lifetime of a user's session at Acme, in seconds. */
export const sessionSeconds = 14 * day

/**
 * Returns the configuration of oidc-provider. These are the main differences from its defaults:
 *
 * - A user grants all requested scopes or none.
 * - Each connection needs its own consent and has its own grant.
 * - Each refresh returns a new refresh token.
 * - oidc-provider makes no outgoing requests.
 *
 * `jwks` contains the private signing keys (RFC 7517).
 */
export function settingsOf(options: AcmeOptions, jwks: { keys: JsonWebKey[] }): Configuration {
  const { origin, secret, accessTokenSeconds = 300 } = options
  const acme = acmeAt(origin, secret)
  const { redirectUris = [acme.redirectUri] } = options
  const path = new URL(acme.issuer).pathname
  return {
    adapter: model => adapterFor(options, model),
    jwks: jwks as { keys: JWK[] },
    clients: [
      {
        client_id: acme.clientId,
        client_secret: acme.clientSecret,
        client_name: 'Waystation',
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token', deviceGrant]
      }
    ],
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientBasedCORS: () => false,
    cookies: {
      names: { session: 'acme', interaction: 'acme_step', resume: 'acme_resume' },
      keys: [derivedKey(secret, 'cookies')],
      long: { httpOnly: true, sameSite: 'lax', signed: true, path },
      short: { httpOnly: true, sameSite: 'lax', signed: true }
    },
    scopes: ['openid', 'offline_access', ...Object.keys(acmeScopes)],
    claims: { openid: ['sub'], profile: ['name', 'email'] },
    responseTypes: ['code'],
    routes: {
      authorization: '/authorize',
      registration: '/register',
      code_verification: '/device',
      device_authorization: '/device/authorize',
      userinfo: '/userinfo'
    },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    // oidc-provider stores this parameter in the interaction, so the interaction's pages can set `isolationHeaders`.
    extraParams: ['acme_coop'],
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      introspection: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: userCodePage,
        userCodeConfirmSource: confirmCodePage,
        successSource: deviceConnectedPage
      },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        defaultResource: (_, __, oneOf) => oneOf,
        getResourceServerInfo(_, resource) {
          if (new URL(resource).hostname !== new URL(origin).hostname)
            throw new errors.InvalidTarget(`Acme gives tokens for ${acme.api}, not for ${resource}`)
          return { scope: Object.keys(acmeScopes).join(' '), audience: resource }
        }
      }
    },
    interactions: { url: (_, { uid }) => `${path}/interaction/${uid}` },
    findAccount: (_, id) => {
      const person = personOf(id)
      return person && { accountId: id, claims: () => ({ sub: id, name: person.name, email: person.email }) }
    },
    // Each connection has its own grant, so revoking one does not affect the others.
    loadExistingGrant: ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId)
    },
    // The tokens of a client stay valid after the user signs out at Acme.
    expiresWithSession: () => false,
    issueRefreshToken: (_, client, source) =>
      client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    rotateRefreshToken: true,
    renderError,
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 60,
      DeviceCode: 600,
      Grant: 365 * day,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: 30 * day,
      Session: sessionSeconds
    },
    fetch: () => Promise.reject(new Error('Acme makes no outgoing requests'))
  }
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
