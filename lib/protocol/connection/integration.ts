import { z } from 'zod'
import { ConnectionName, ConnectionState, ConnectMode, Sharing } from './connection.ts'

/** Undefined for what is no address: refinements also run on fields that were refused. */
const originOf = (address: string): string | undefined => URL.parse(address)?.origin

const Address = z.url({ protocol: /^https?$/ }).max(2000)

/**
 * How accounts are connected by the provider's own consent (OAuth 2.1, OpenID Connect Core). With `issuer` the rest is
 * looked up (RFC 8414, Discovery 1.0); without it the endpoints are named.
 */
export const OAuthConfig = z
  .strictObject({
    issuer: Address.optional(),
    authorizationEndpoint: Address.optional(),
    tokenEndpoint: Address.optional(),
    revocationEndpoint: Address.optional(),
    deviceAuthorizationEndpoint: Address.optional(),
    /** How consent is asked for, the preferred way first: in a window there, or by a code that is entered there (RFC 8628). */
    grants: z
      .array(z.enum(['authorization_code', 'device_code']))
      .min(1)
      .max(2)
      .default(['authorization_code']),
    /** Empty: this server is not registered there yet. */
    clientId: z.string().max(500).default(''),
    clientAuth: z.enum(['client_secret_basic', 'client_secret_post', 'none']).default('client_secret_basic'),
    scopes: z.array(z.string().min(1).max(200)).max(100).default([]),
    /** The protected resource that tokens are for (RFC 8707). */
    resource: Address.optional(),
    /** Further parameters of the request, such as `access_type=offline`. */
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
 * A remote MCP server (Streamable HTTP). Who gives tokens for it is looked up there (RFC 9728), and this server registers
 * itself as a client, unless `clientId` names one that was registered by hand. `scopes`: instead of those it asks for.
 */
export const McpConfig = z.strictObject({
  url: Address,
  scopes: z.array(z.string().min(1).max(200)).max(100).optional(),
  clientId: z.string().min(1).max(500).optional()
})
export type McpConfig = z.infer<typeof McpConfig>

/** Which authorization server gave something, to which client of it, for which resource (RFC 8707). */
export type Authority = Pick<OAuthConfig, 'clientId' | 'clientAuth'> & { issuer: string; resource: string }

/** One thing that somebody enters on our page. */
export const CredentialField = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/),
  label: z.string().min(1).max(120),
  help: z.string().max(500).optional(),
  /** Shown as it is typed, and listed as the account's name where nothing better is known. */
  plain: z.boolean().default(false)
})
export type CredentialField = z.infer<typeof CredentialField>

/** Credentials that somebody enters: what is asked for, and the header that requests carry, with `{field}` filled in. */
export const KeyConfig = z.strictObject({
  fields: z.array(CredentialField).min(1).max(8),
  header: z.strictObject({
    name: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
    value: z.string().min(1).max(500),
    /** The filled-in value is sent as HTTP Basic (RFC 7617): `{user}:{password}`. */
    basic: z.boolean().default(false)
  })
})
export type KeyConfig = z.infer<typeof KeyConfig>

/** A service that agents may use an account at. A credential goes to `apiBase`'s origin and to `origins`, nowhere else. */
export const IntegrationConfig = z
  .strictObject({
    integration: ConnectionName,
    service: z.string().trim().min(1).max(80),
    description: z.string().max(500).optional(),
    apiBase: Address,
    origins: z.array(Address).max(20).default([]),
    /** Whose a connection is unless somebody chooses otherwise. */
    sharing: Sharing.default('user'),
    oauth: OAuthConfig.optional(),
    apiKey: KeyConfig.optional(),
    mcp: McpConfig.optional(),
    /** What tells whose account it is: an address, and the field of its JSON that has the name. */
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

/** The same as an owner saves it. `clientSecret` is sealed and never shown again; left out, the one before stays. */
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
 * An integration for whoever asks. `ready`: they have an account there; `needs_auth`: they can connect one by the
 * provider's consent; `needs_input`: by entering credentials; `needs_setup`: an owner must register this server there.
 */
export const ListedIntegration = z.object({
  integration: z.string(),
  service: z.string(),
  description: z.string().optional(),
  state: z.enum(['ready', 'needs_auth', 'needs_input', 'needs_setup']),
  modes: z.array(ConnectMode),
  scopes: z.array(z.string()),
  sharing: Sharing,
  /** Saved in this workspace; false: the server brings it. */
  own: z.boolean(),
  /** Where the provider is told to send people back to. */
  redirectUri: z.url(),
  connections: z.array(z.object({ slug: z.string(), state: ConnectionState }))
})
export type ListedIntegration = z.infer<typeof ListedIntegration>

/** What an agent learns of its accounts (002b). `connect`: the call that asks for one. */
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
