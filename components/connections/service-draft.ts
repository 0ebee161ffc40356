import type { IntegrationConfig, OAuthConfig } from '@waystation/protocol/connection/integration.ts'

/** What stands in the form of a service: every field as its text, so that what is half written can stand there too. */
export type ServiceDraft = {
  service: string
  integration: string
  description: string
  apiBase: string
  /** How accounts are connected: by consent there (which an MCP server looks up itself), with what is entered here, or both. */
  mcp: boolean
  oauth: boolean
  apiKey: boolean
  /** Consent may also be given by a code that is entered there. */
  device: boolean
  mcpUrl: string
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  deviceAuthorizationEndpoint: string
  clientId: string
  /** Empty: the one that is kept stays. */
  clientSecret: string
  /** With spaces between. */
  scopes: string
  label: string
  headerName: string
  headerValue: string
  accountPath: string
  accountField: string
}

/** The fields that are one text each. */
export type Named = Exclude<keyof ServiceDraft, 'mcp' | 'oauth' | 'apiKey' | 'device'>

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

/** The short name that a service has unless somebody writes another: "Acme Tracker" is acme-tracker. */
export const shortNameOf = (service: string): string =>
  service
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)

/**
 * The configuration that a draft stands for, over the one that it began from, so that what the form does not show (further
 * origins, parameters, a second field) stays. The server judges it.
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
          // Without one it is the server's own address.
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

/** With or without a code, and otherwise as it was. */
function grantsOf(device: boolean, before: OAuthConfig['grants'] = ['authorization_code']): string[] {
  if (device) return before.includes('device_code') ? before : [...before, 'device_code']
  const others = before.filter(grant => grant !== 'device_code')
  return others.length > 0 ? others : ['authorization_code']
}
