import type { JsonWebKey } from 'node:crypto'
import { type Configuration, errors, type JWK } from 'oidc-provider'
import { acmeAt, acmeScopes } from './client.ts'
import { codeEntered, codeToConfirm, deviceConnected } from './device-pages.ts'
import { renderFault } from './fault-page.ts'
import { derivedKey } from './keys.ts'
import { personOf } from './people.ts'
import { adapterFor, type Ground } from './store.ts'

export type AcmeOptions = Ground & {
  /** The public origin of this server, without a trailing slash. */
  origin: string
  /** `AUTH_SECRET`: cookies are signed, and Waystation's client secret is made, with what is derived from it. */
  secret: string
  /** Where Waystation may be sent back to; its own callback, unless somebody says otherwise. */
  redirectUris?: string[]
  /** How long an access token lives. */
  accessTokenSeconds?: number
}

const day = 24 * 3600

/** How long a person stays signed in at Acme. Seconds. */
export const sessionSeconds = 14 * day

/**
 * Acme's rules, on top of what oidc-provider does by itself: whole scopes or nothing, a consent for each connection, a new
 * refresh token each time, and nothing that it would fetch from anywhere.
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
    /** Kept in the interaction: its pages then sever whoever opened them. */
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
        userCodeInputSource: codeEntered,
        userCodeConfirmSource: codeToConfirm,
        successSource: deviceConnected
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
    // Each connection is a grant of its own: what ends one leaves the others.
    loadExistingGrant: ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId)
    },
    // What an application was given does not end when the person signs out here.
    expiresWithSession: () => false,
    issueRefreshToken: (_, client, source) =>
      client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    rotateRefreshToken: true,
    renderError: renderFault,
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
