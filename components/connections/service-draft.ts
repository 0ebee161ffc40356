import type { IntegrationConfig, OAuthConfig } from '@waystation/protocol/connection/integration.ts'

/**
 * The state of the service form. Most fields are text as typed, because input can be incomplete or invalid.
 */
export type ServiceDraft = {
  service: string
  integration: string
  description: string
  apiBase: string
  /**
   * How accounts are connected: as an MCP server with its own sign-in, with OAuth, or with a token or key.
   * The last can be combined with either of the others.
   */
  mcp: boolean
  oauth: boolean
  apiKey: boolean
  /** If true, users can also give consent with a code on another device. */
  device: boolean
  mcpUrl: string
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  deviceAuthorizationEndpoint: string
  clientId: string
  /** Empty: the stored secret does not change. */
  clientSecret: string
  /** Separated by spaces or commas. */
  scopes: string
  label: string
  headerName: string
  headerValue: string
  accountPath: string
  accountField: string
}

/** The fields whose value is a single text. */
export type Named = Exclude<keyof ServiceDraft, 'mcp' | 'oauth' | 'apiKey' | 'device'>

/** Returns the initial state of the form for a service, or for a new service if `config` is undefined. */
export function draftOf(config?: IntegrationConfig): ServiceDraft {
  const { oauth, apiKey, mcp, account } = config ?? {}
  return {
    service: config?.service ?? '',
    integration: config?.integration ?? '',
    description: config?.description ?? '',
    apiBase: config?.apiBase ?? '',
    mcp: mcp !== undefined,
    oauth: oauth !== undefined,
    apiKey: config === undefined || apiKey !== undefined,
    device: oauth?.grants.includes('device_code') ?? false,
    mcpUrl: mcp?.url ?? '',
    issuer: oauth?.issuer ?? '',
    authorizationEndpoint: oauth?.authorizationEndpoint ?? '',
    tokenEndpoint: oauth?.tokenEndpoint ?? '',
    deviceAuthorizationEndpoint: oauth?.deviceAuthorizationEndpoint ?? '',
    clientId: oauth?.clientId ?? mcp?.clientId ?? '',
    clientSecret: '',
    scopes: (oauth?.scopes ?? mcp?.scopes ?? []).join(' '),
    label: apiKey?.fields[0]?.label ?? 'Token',
    headerName: apiKey?.header.name ?? 'authorization',
    headerValue: apiKey?.header.value ?? 'Bearer {token}',
    accountPath: account?.path ?? '',
    accountField: account?.field ?? ''
  }
}

/** Returns the default short name of a service: "Acme Tracker" becomes "acme-tracker". */
export const shortNameOf = (service: string): string =>
  service
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)

/**
 * Returns the configuration for a draft. Fields that the form does not show, such as further origins and
 * OAuth parameters, come from `before`. The server validates the result.
 */
export function configOf(draft: ServiceDraft, before?: IntegrationConfig) {
  const text = (name: Named) => draft[name].trim()
  const orNone = (name: Named) => text(name) || undefined
  const [first, ...others] = before?.apiKey?.fields ?? [{ name: 'token', label: '', plain: false }]
  const scopes = draft.scopes.split(/[\s,]+/).filter(Boolean)
  return {
    ...before,
    integration: text('integration') || shortNameOf(draft.service),
    service: text('service'),
    description: orNone('description'),
    ...(draft.mcp
      ? {
          // Without an API base, the server uses the URL of the MCP server.
          apiBase: text('mcpUrl') === before?.mcp?.url ? before.apiBase : undefined,
          mcp: {
            url: text('mcpUrl'),
            clientId: orNone('clientId'),
            scopes: scopes.length > 0 ? scopes : undefined
          }
        }
      : { apiBase: text('apiBase'), mcp: undefined }),
    oauth:
      draft.oauth && !draft.mcp
        ? {
            ...before?.oauth,
            issuer: orNone('issuer'),
            authorizationEndpoint: orNone('authorizationEndpoint'),
            tokenEndpoint: orNone('tokenEndpoint'),
            deviceAuthorizationEndpoint: orNone('deviceAuthorizationEndpoint'),
            grants: grantsOf(draft.device, before?.oauth?.grants),
            clientId: text('clientId'),
            scopes
          }
        : undefined,
    apiKey: draft.apiKey
      ? {
          ...before?.apiKey,
          fields: [{ ...first, label: text('label') }, ...others],
          header: { ...before?.apiKey?.header, name: text('headerName'), value: text('headerValue') }
        }
      : undefined,
    account:
      text('accountPath') || text('accountField')
        ? { path: text('accountPath'), field: text('accountField') }
        : undefined
  }
}

/** Adds or removes the grant `device_code`. If no other grant is left, returns `authorization_code`. */
function grantsOf(device: boolean, before: OAuthConfig['grants'] = ['authorization_code']): string[] {
  if (device) return before.includes('device_code') ? before : [...before, 'device_code']
  const others = before.filter(grant => grant !== 'device_code')
  return others.length > 0 ? others : ['authorization_code']
}
