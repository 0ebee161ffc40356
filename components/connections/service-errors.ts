import type { ErrorBody } from '@waystation/protocol/error-body.ts'
import type { Named } from './service-draft.ts'

/** What is wrong, at the fields of the form. `ways`: at the choice of how accounts are connected. */
export type ServiceFaults = Partial<Record<Named | 'ways', string>>

/** Where the form shows what the server said about a place in the configuration. */
const places: Readonly<Record<string, keyof ServiceFaults>> = {
  integration: 'integration',
  clientSecret: 'clientSecret',
  config: 'ways',
  'config.integration': 'integration',
  'config.service': 'service',
  'config.description': 'description',
  'config.apiBase': 'apiBase',
  'config.mcp': 'mcpUrl',
  'config.mcp.url': 'mcpUrl',
  'config.mcp.clientId': 'clientId',
  'config.mcp.scopes': 'scopes',
  'config.oauth': 'issuer',
  'config.oauth.issuer': 'issuer',
  'config.oauth.authorizationEndpoint': 'authorizationEndpoint',
  'config.oauth.tokenEndpoint': 'tokenEndpoint',
  'config.oauth.deviceAuthorizationEndpoint': 'deviceAuthorizationEndpoint',
  'config.oauth.clientId': 'clientId',
  'config.oauth.scopes': 'scopes',
  'config.apiKey.fields.0.label': 'label',
  'config.apiKey.header.name': 'headerName',
  'config.apiKey.header.value': 'headerValue',
  'config.account.path': 'accountPath',
  'config.account.field': 'accountField'
}

/** The faults at their fields, and in `rest` those whose field is not in `shown`, with the refusal's own sentence. */
export function serviceFaults(
  { error, fields = {} }: Pick<ErrorBody, 'error' | 'fields'>,
  isShown: (name: keyof ServiceFaults) => boolean
): { faults: ServiceFaults; rest: string } {
  const faults: ServiceFaults = {}
  const lost: string[] = []
  for (const [path, words] of Object.entries(fields)) {
    // One of several scopes is a fault of the field that holds them all.
    const name = places[path] ?? places[path.replace(/\.\d+$/, '')]
    if (name !== undefined && isShown(name)) faults[name] = words
    else lost.push(`${path}: ${words.replace(/\.$/, '')}.`)
  }
  const atFields = Object.keys(faults).length > 0 && lost.length === 0
  return { faults, rest: atFields ? '' : [error, ...lost].join(' ') }
}
