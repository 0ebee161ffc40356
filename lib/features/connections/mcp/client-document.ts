import { isLoopback } from '#lib/kernel/is-loopback.ts'
import { Refusal } from '#lib/kernel/refusal.ts'

/** What this server says of itself to authorization servers (RFC 7591, 2). */
export const clientMetadata = (origin: string) => ({
  client_name: 'Waystation',
  client_uri: origin,
  redirect_uris: [`${origin}/api/connections/callback`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code']
})

/**
 * The same as a document whose address is the client's ID (Client ID Metadata Documents, MCP authorization 2025-11-25).
 * Undefined where nobody else could read it: on this machine, or without TLS.
 */
export function clientDocumentOf(origin: string) {
  const { protocol, hostname } = new URL(origin)
  if (protocol !== 'https:' || isLoopback(hostname)) return undefined
  return {
    client_id: `${origin}/client-metadata.json`,
    ...clientMetadata(origin),
    token_endpoint_auth_method: 'none' as const
  }
}

/** This server's document, for whoever asks. `NOT_FOUND`: it is no client by its address. */
export function readClientDocument(origin: string) {
  const document = clientDocumentOf(origin)
  if (document !== undefined) return document
  throw new Refusal(
    'NOT_FOUND',
    'This server has no client metadata document, because it has no public https URL.'
  )
}
