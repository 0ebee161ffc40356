import type { WaystationError } from '@waystation/client'
import type { Named } from './service-draft.ts'

/** Errors by field of the form. `ways` belongs to the choice of how accounts are connected. */
export type ServiceFaults = Partial<Record<Named | 'ways', string>>

/** Maps paths in the configuration to the fields of the form that show their errors. */
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

/**
 * Assigns the errors of a response to the fields of the form. `rest` contains its message and the errors of
 * fields that are not shown. It is empty if fields show all errors.
 */
export function serviceFaults(
  { message, fields = {} }: Pick<WaystationError, 'message' | 'fields'>,
  isShown: (name: keyof ServiceFaults) => boolean
): { faults: ServiceFaults; rest: string } {
  const faults: ServiceFaults = {}
  const lost: string[] = []
  for (const [path, words] of Object.entries(fields)) {
    // An error of one scope belongs to the field with all scopes.
    const name = places[path] ?? places[path.replace(/\.\d+$/, '')]
    if (name !== undefined && isShown(name)) faults[name] = words
    else lost.push(`${path}: ${words.replace(/\.$/, '')}.`)
  }
  const atFields = Object.keys(faults).length > 0 && lost.length === 0
  return { faults, rest: atFields ? '' : [message, ...lost].join(' ') }
}
