import { newId } from '@waystation/base/ids.ts'
import type { CredentialKind } from '@waystation/protocol/connection/connection.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { encryptCredential } from './credential.ts'
import type { Owner } from './owner.ts'
import type { Grant } from './providers/provider.ts'

/** The connection to store and its owner. */
export type NewConnection = Owner & {
  integration: string
  slug: string
  mode: CredentialKind
  by: string
  /** The identity of `by`. */
  byId: string
}

/**
 * Stores a granted credential: in a new connection, or in the existing one, which becomes active. Returns the
 * connection's ID. Run it in the transaction that settles the call which requested the connection.
 */
export async function storeConnection(tx: Ctx, connecting: NewConnection, granted: Grant): Promise<string> {
  const { workspaceId } = tx
  const { integration, slug, sharing, owner, ownerName, mode, by, byId } = connecting
  // The ID is needed first, because it is part of the encryption context.
  const [{ id } = { id: '' }] = await tx.sql<{ id: string }[]>`
    insert into connections (id, workspace_id, integration, slug, sharing, owner, owner_name, mode, state, connected_by,
      connected_at, updated_at)
    values (${newId('conn')}, ${workspaceId}, ${integration}, ${slug}, ${sharing}, ${owner}, ${ownerName}, ${mode}, 'active',
      ${by}, clock_timestamp(), clock_timestamp())
    on conflict (workspace_id, integration, slug, sharing, owner) do update set owner_name = excluded.owner_name
    returning id`
  const secrets = encryptCredential(tx, { workspaceId, connectionId: id }, granted.credential)
  await tx.sql`
    update connections set mode = ${mode}, state = 'active', fault = null, account = ${granted.account ?? null},
      scopes = ${granted.scopes}::jsonb,
      authority = ${granted.authority ?? null}::jsonb, secrets = ${secrets}::jsonb, version = version + 1,
      expires_at = clock_timestamp() + make_interval(secs => ${granted.expiresIn ?? null}), refreshing_until = null,
      connected_by = ${by}, connected_by_id = ${byId}, connected_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = ${id}`
  return id
}
