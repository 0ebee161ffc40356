import {
  IntegrationConfig,
  type KeyConfig,
  type McpConfig,
  type OAuthConfig
} from '@waystation/protocol/connection/integration.ts'
import { checkValues } from '#components/forms/check-values.ts'
import type { FieldErrors } from '#components/forms/place-errors.ts'

/** The values of the service form. `config` has a configuration for each way, also for those that are not used. */
export type ServiceValues = {
  /**
   * How accounts are connected: as an MCP server with its own sign-in, with OAuth, or with a token or key. The
   * last can be combined with either of the others. `device`: users can give consent on another device too.
   */
  ways: { mcp: boolean; oauth: boolean; apiKey: boolean; device: boolean }
  config: Omit<IntegrationConfig, 'oauth' | 'apiKey' | 'mcp' | 'account'> & {
    oauth: OAuthConfig
    apiKey: KeyConfig
    mcp: McpConfig
    account: { path: string; field: string }
  }
  /** Unset: the stored secret does not change. */
  clientSecret: string | undefined
}

const defaultKey: KeyConfig = {
  fields: [{ name: 'token', label: 'Token', plain: false }],
  header: { name: 'authorization', value: 'Bearer {token}', basic: false }
}
const defaultOAuth: OAuthConfig = {
  grants: ['authorization_code'],
  clientId: '',
  clientAuth: 'client_secret_basic',
  scopes: [],
  parameters: {}
}

/** Returns the values of the form for a service, or for a new service if `config` is undefined. */
export const valuesOf = (config?: IntegrationConfig): ServiceValues => ({
  ways: {
    mcp: config?.mcp !== undefined,
    oauth: config?.oauth !== undefined,
    apiKey: config === undefined || config.apiKey !== undefined,
    device: config?.oauth?.grants.includes('device_code') ?? false
  },
  config: {
    integration: '',
    service: '',
    apiBase: '',
    origins: [],
    sharing: 'user',
    ...config,
    oauth: config?.oauth ?? defaultOAuth,
    apiKey: config?.apiKey ?? defaultKey,
    mcp: config?.mcp ?? { url: '' },
    account: config?.account ?? { path: '', field: '' }
  },
  clientSecret: undefined
})

/** Returns the default short name of a service: "Acme Tracker" becomes "acme-tracker". */
export const shortNameOf = (service: string): string =>
  service
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)

/** Returns the configuration that the server receives for the values of the form. It can be invalid. */
export function configOf({ ways, config }: ServiceValues, before?: IntegrationConfig) {
  const { mcp, oauth, apiKey, account } = config
  return {
    ...config,
    integration: config.integration || shortNameOf(config.service),
    // Without an API base, the server uses the URL of the MCP server.
    ...(ways.mcp ? { apiBase: mcp.url === before?.mcp?.url ? before.apiBase : undefined } : {}),
    mcp: ways.mcp ? mcp : undefined,
    oauth: ways.oauth && !ways.mcp ? { ...oauth, grants: grantsOf(ways.device, oauth.grants) } : undefined,
    apiKey: ways.apiKey ? apiKey : undefined,
    account: account.path || account.field ? account : undefined
  }
}

/** Adds or removes the grant `device_code`. If no other grant is left, returns `authorization_code`. */
function grantsOf(device: boolean, before: OAuthConfig['grants']): OAuthConfig['grants'] {
  if (device) return before.includes('device_code') ? before : [...before, 'device_code']
  const others = before.filter(grant => grant !== 'device_code')
  return others.length > 0 ? others : ['authorization_code']
}

/** Returns the errors of a configuration by field of the form. `taken` are short names that are in use. */
export function serviceErrors(
  config: ReturnType<typeof configOf>,
  taken: readonly string[] = []
): FieldErrors {
  const { mcp, service, integration } = config
  const errors = checkValues(IntegrationConfig, { ...config, apiBase: config.apiBase ?? mcp?.url })
  const shown = Object.entries(errors).flatMap(([path, message]) => {
    // The form does not show these fields, because it derives their values.
    if (path === 'apiBase' && mcp !== undefined) return []
    if (path === 'integration' && service === '') return []
    return [[path === '' ? 'ways' : `config.${path}`, message]]
  })
  return {
    ...Object.fromEntries(shown),
    ...(taken.includes(integration)
      ? { 'config.integration': 'A service with this short name already exists. Choose another name.' }
      : {})
  }
}
