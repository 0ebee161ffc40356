import type { ConnectionState, CredentialKind, Sharing } from '@waystation/protocol/connection/connection.ts'
import type { Authority } from '@waystation/protocol/connection/integration.ts'
import type { Sql } from '#db/client.ts'

/** A connection as stored. Times are text, as the driver returns them. */
export type ConnectionRow = {
  connectionId: string
  workspaceId: string
  integration: string
  slug: string
  sharing: Sharing
  owner: string
  ownerName: string
  mode: CredentialKind
  state: ConnectionState
  account: string | null
  scopes: string[]
  secrets: Record<string, string>
  version: number
  /**
   * True if the access token stays valid for the next 30 seconds, by the database's clock. Null if its
   * lifetime is unknown.
   */
  fresh: boolean | null
  expiresAt: string | null
  fault: string | null
  authority: Authority | null
  connectedBy: string
  connectedAt: string
  lastUsedAt: string | null
}

/** The columns of a ConnectionRow, for a `select` or a `returning`. */
export const connectionColumns = (sql: Sql) => sql`
  id as connection_id, workspace_id, integration, slug, sharing, owner, owner_name,
  mode, state, account, scopes, secrets, version, expires_at > clock_timestamp() + interval '30 seconds' as fresh,
  expires_at, fault, authority, connected_by, connected_at,
  last_used_at`
