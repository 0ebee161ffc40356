import type { CredentialKind } from '@waystation/protocol/connection/connection.ts'
import type { IntegrationConfig } from '@waystation/protocol/connection/integration.ts'
import type { Credential } from './credential.ts'

/**
 * Returns the header with a credential: a bearer token (RFC 6750), or the integration's template filled with
 * the credential's fields.
 */
export function headerOf(
  { apiKey }: IntegrationConfig,
  mode: CredentialKind,
  credential: Credential
): Record<string, string> {
  if (mode === 'oauth') return { authorization: `Bearer ${credential.accessToken}` }
  if (apiKey === undefined)
    throw new Error('The connection has entered credentials, but its integration has no apiKey.')
  const { name, value, basic } = apiKey.header
  const filled = value.replaceAll(/\{(\w+)\}/g, (_, field: string) => credential[field] ?? '')
  return { [name.toLowerCase()]: basic ? `Basic ${Buffer.from(filled).toString('base64')}` : filled }
}
