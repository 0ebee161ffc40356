import { ApiError } from '@waystation/base/api-error.ts'
import { isLoopback } from '@waystation/base/is-loopback.ts'
import { publicPaths } from '#lib/kernel/public-paths.ts'

/** Returns this server's client metadata for authorization servers (RFC 7591, 2). */
export const clientMetadata = (origin: string) => ({
  client_name: 'Waystation',
  client_uri: origin,
  redirect_uris: [origin + publicPaths.connectCallback],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code']
})

/**
 * Returns the client metadata document whose URL is the client's ID (Client ID Metadata Documents, MCP
 * authorization 2025-11-25). Undefined if other servers cannot read it, because this server is on a local
 * machine or has no TLS.
 */
export function clientDocumentOf(origin: string) {
  const { protocol, hostname } = new URL(origin)
  if (protocol !== 'https:' || isLoopback(hostname)) return undefined
  return {
    client_id: origin + publicPaths.clientMetadata,
    ...clientMetadata(origin),
    token_endpoint_auth_method: 'none' as const
  }
}

/**
 * Returns this server's client metadata document, without authentication. Throws `NOT_FOUND` if this server
 * has none.
 */
export function readClientDocument(origin: string) {
  const document = clientDocumentOf(origin)
  if (document !== undefined) return document
  throw new ApiError(
    'NOT_FOUND',
    'This server has no client metadata document, because it has no public https URL.'
  )
}
