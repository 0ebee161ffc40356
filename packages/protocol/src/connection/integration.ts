import { z } from 'zod'
import { ConnectionName, ConnectionState, ConnectMode, Sharing } from './connection.ts'

/** Returns undefined for an invalid URL, because zod runs refinements on invalid fields too. */
const originOf = (address: string): string | undefined => URL.parse(address)?.origin

const Address = z.url({ protocol: /^https?$/ }).max(2000)

/**
 * Connects accounts with the provider's consent (OAuth 2.1, OpenID Connect Core). With `issuer`, the endpoints are
 * discovered (RFC 8414, Discovery 1.0). Otherwise they must be set.
 */
export const OAuthConfig = z
  .strictObject({
    issuer: Address.optional(),
    authorizationEndpoint: Address.optional(),
    tokenEndpoint: Address.optional(),
    revocationEndpoint: Address.optional(),
    deviceAuthorizationEndpoint: Address.optional(),
    /**
     * How to ask for consent, the preferred way first: in a window of the provider, or with a code that the user enters
     * there (RFC 8628).
     */
    grants: z
      .array(z.enum(['authorization_code', 'device_code']))
      .min(1)
      .max(2)
      .default(['authorization_code']),
    /** Empty: this server is not registered with the provider yet. */
    clientId: z.string().max(500).default(''),
    clientAuth: z.enum(['client_secret_basic', 'client_secret_post', 'none']).default('client_secret_basic'),
    scopes: z.array(z.string().min(1).max(200)).max(100).default([]),
    /** The protected resource that tokens are issued for (RFC 8707). */
    resource: Address.optional(),
    /** Additional parameters of the authorization request, such as `access_type=offline`. */
    parameters: z.record(z.string().max(100), z.string().max(500)).default({})
  })
  .refine(
    ({ issuer, authorizationEndpoint, tokenEndpoint, grants }) =>
      issuer !== undefined ||
      (tokenEndpoint !== undefined &&
        (authorizationEndpoint !== undefined || !grants.includes('authorization_code'))),
    'set issuer, or both authorizationEndpoint and tokenEndpoint'
  )
  .refine(
    ({ issuer, deviceAuthorizationEndpoint, grants }) =>
      issuer !== undefined || deviceAuthorizationEndpoint !== undefined || !grants.includes('device_code'),
    { error: 'a value is required if issuer is not set', path: ['deviceAuthorizationEndpoint'] }
  )
export type OAuthConfig = z.infer<typeof OAuthConfig>

/**
 * A remote MCP server (Streamable HTTP). Its authorization server is discovered (RFC 9728). This server registers
 * itself as a client unless `clientId` names one. `scopes` replaces the scopes that the MCP server asks for.
 */
export const McpConfig = z.strictObject({
  url: Address,
  scopes: z.array(z.string().min(1).max(200)).max(100).optional(),
  clientId: z.string().min(1).max(500).optional()
})
export type McpConfig = z.infer<typeof McpConfig>

/** The authorization server that issued a credential, the client it was issued to, and its resource (RFC 8707). */
export type Authority = Pick<OAuthConfig, 'clientId' | 'clientAuth'> & { issuer: string; resource: string }

/** A field of the form in which a user enters credentials. */
export const CredentialField = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/),
  label: z.string().min(1).max(120),
  help: z.string().max(500).optional(),
  /** If true, the value is shown while typing, and is the account's name if no better name is known. */
  plain: z.boolean().default(false)
})
export type CredentialField = z.infer<typeof CredentialField>

/**
 * Credentials that a user enters, and the request header to send them in. `{field}` in the header's value is replaced
 * by the field's value.
 */
export const KeyConfig = z.strictObject({
  fields: z.array(CredentialField).min(1).max(8),
  header: z.strictObject({
    name: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
    value: z.string().min(1).max(500),
    /** Sends the value as HTTP Basic (RFC 7617), such as `{user}:{password}`. */
    basic: z.boolean().default(false)
  })
})
export type KeyConfig = z.infer<typeof KeyConfig>

/**
 * A service at which agents can use accounts. Credentials are sent only to the origin of `apiBase` and to `origins`.
 */
export const IntegrationConfig = z
  .strictObject({
    integration: ConnectionName,
    service: z.string().trim().min(1).max(80),
    description: z.string().max(500).optional(),
    apiBase: Address,
    origins: z.array(Address).max(20).default([]),
    /** Default sharing of new connections. */
    sharing: Sharing.default('user'),
    oauth: OAuthConfig.optional(),
    apiKey: KeyConfig.optional(),
    mcp: McpConfig.optional(),
    /** Where to read the account's name: a path of the API, and a field of its JSON response. */
    account: z.strictObject({ path: z.string().max(500), field: z.string().max(100) }).optional()
  })
  .refine(
    ({ oauth, apiKey, mcp }) => oauth !== undefined || apiKey !== undefined || mcp !== undefined,
    'set oauth, apiKey or mcp'
  )
  .refine(({ oauth, mcp }) => oauth === undefined || mcp === undefined, {
    error: 'remove oauth: the authorization server of an MCP server is discovered',
    path: ['mcp']
  })
  .refine(
    ({ mcp, apiBase, origins }) =>
      mcp === undefined || (originOf(apiBase) === originOf(mcp.url) && origins.length === 0),
    {
      error: 'apiBase must have the same origin, and origins must be empty',
      path: ['mcp', 'url']
    }
  )
export type IntegrationConfig = z.infer<typeof IntegrationConfig>

/** `clientSecret` is stored encrypted and never shown again. If absent, the previous one is kept. */
export const SaveIntegration = z.object({
  integration: ConnectionName,
  config: z.unknown(),
  clientSecret: z.string().min(1).max(2000).optional()
})
export type SaveIntegration = z.infer<typeof SaveIntegration>

export const InIntegration = z.object({ integration: ConnectionName })
export type InIntegration = z.infer<typeof InIntegration>
export const ListIntegrations = z.object({})

/**
 * An integration as the caller sees it.
 * - `ready`: the caller has an account there
 * - `needs_auth`: the caller can connect one with the provider's consent. An MCP server that needs no account has this
 *   state too, because only its answers tell.
 * - `needs_input`: the caller can connect one by entering credentials
 * - `needs_setup`: an owner must register this server with the provider
 */
export const ListedIntegration = z.object({
  integration: z.string(),
  service: z.string(),
  description: z.string().optional(),
  state: z.enum(['ready', 'needs_auth', 'needs_input', 'needs_setup']),
  modes: z.array(ConnectMode),
  scopes: z.array(z.string()),
  sharing: Sharing,
  /** True if saved in this workspace. False if it comes with the server. */
  own: z.boolean(),
  /** The redirect URI to register with the provider. */
  redirectUri: z.url(),
  connections: z.array(z.object({ slug: z.string(), state: ConnectionState }))
})
export type ListedIntegration = z.infer<typeof ListedIntegration>

/** The state of accounts, as an agent sees it (002b). `connect` is the call that asks for one. */
export const Discovery = z.object({
  ready: z.boolean(),
  connections: z.array(
    z.object({
      integration: z.string(),
      service: z.string(),
      state: z.enum(['ready', 'needs_auth', 'needs_input', 'needs_setup']),
      slug: z.string().optional(),
      account: z.string().optional(),
      connect: z.object({ tool: z.string(), input: z.unknown() }).optional()
    })
  ),
  guidance: z.string(),
  notes: z.array(z.string())
})
export type Discovery = z.infer<typeof Discovery>
