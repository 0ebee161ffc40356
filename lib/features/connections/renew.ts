import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { decryptCredential, encryptCredential } from './credential.ts'
import { type Integration, integrationFor } from './integration.ts'
import { ProviderError } from './providers/provider.ts'
import { providerOf } from './providers/provider-of.ts'
import { revokeUnused } from './revoke.ts'
import { type ConnectionRow, connectionColumns } from './row.ts'

/** How long a process may take to renew a credential before another one tries, including discovery. Seconds. */
const leaseSeconds = 45

/** The renewals in progress in this process, by connection and the version that they replace. */
const pendingRenewals = new Map<string, Promise<ConnectionRow | undefined>>()

/**
 * Renews a connection's credential, once for all concurrent callers of all processes. Providers that rotate
 * refresh tokens treat a second use as theft and revoke everything. A process claims the renewal in the
 * connection's row, but holds no lock or pooled database connection during the request.
 *
 * Returns the connection in its new state: `needs_auth` if the provider rejected the credential, undefined if
 * it was deleted. Throws `ProviderError` if the provider could not be reached; the credential may still be
 * valid.
 */
export function renew(ctx: Ctx, row: ConnectionRow): Promise<ConnectionRow | undefined> {
  const key = `${row.connectionId} ${row.version}`
  const pending = pendingRenewals.get(key)
  if (pending !== undefined) return pending
  const renewal = renewOnce(ctx, row).finally(() => pendingRenewals.delete(key))
  pendingRenewals.set(key, renewal)
  return renewal
}

async function renewOnce(ctx: Ctx, row: ConnectionRow): Promise<ConnectionRow | undefined> {
  for (;;) {
    // Read the integration before the credential: a changed address erases credentials first, so they never
    // go to a new address.
    const integration = await integrationFor(ctx, row.integration)
    const [claimed] = await ctx.sql<ConnectionRow[]>`
      update connections set refreshing_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      where id = ${row.connectionId} and version = ${row.version} and state = 'active'
        and (refreshing_until is null or refreshing_until < clock_timestamp())
      returning ${connectionColumns(ctx.sql)}`
    if (claimed !== undefined) return renewAtProvider(ctx, integration, claimed)
    const current = await readConnection(ctx, row.connectionId)
    if (current === undefined || current.version !== row.version || current.state !== 'active') return current
    await pause(100)
  }
}

async function renewAtProvider(
  ctx: Ctx,
  integration: Integration,
  row: ConnectionRow
): Promise<ConnectionRow | undefined> {
  const { workspaceId, connectionId, version } = row
  const { refreshToken } = decryptCredential(ctx, row, row.secrets)
  try {
    if (refreshToken === undefined)
      throw new ProviderError('The access has expired and cannot be renewed automatically. Connect again.')
    const provider = await providerOf(ctx, integration, row.authority)
    const granted = await provider.refresh(refreshToken)
    const secrets = encryptCredential(
      ctx,
      { workspaceId, connectionId },
      { refreshToken, ...granted.credential }
    )
    const [renewed] = await ctx.sql<ConnectionRow[]>`
      update connections set secrets = ${secrets}::jsonb, version = version + 1, refreshing_until = null,
        expires_at = clock_timestamp() + make_interval(secs => ${granted.expiresIn ?? null}),
        scopes = case when ${granted.scopes.length > 0} then ${granted.scopes}::jsonb else scopes end,
        updated_at = clock_timestamp()
      where id = ${connectionId} and version = ${version} and state = 'active'
      returning ${connectionColumns(ctx.sql)}`
    if (renewed !== undefined) return renewed
    const current = await readConnection(ctx, connectionId)
    // The connection was ended during the request, so revoke the new credential.
    if (current === undefined || current.state === 'revoked')
      await revokeUnused(provider, granted.credential, row.integration)
    return current
  } catch (error) {
    const isRejected = error instanceof ProviderError && !error.again
    await ctx.sql`
      update connections set refreshing_until = null where id = ${connectionId} and version = ${version}`
    if (!isRejected) throw error
    return markRejected(ctx, row, error.message)
  }
}

/** Marks a credential as rejected, unless it was replaced meanwhile. Returns the connection in its new state. */
export async function markRejected(
  ctx: Ctx,
  row: ConnectionRow,
  fault: string
): Promise<ConnectionRow | undefined> {
  await ctx.sql`
    update connections set state = 'needs_auth', fault = ${fault}, updated_at = clock_timestamp()
    where id = ${row.connectionId} and version = ${row.version} and state = 'active'`
  return readConnection(ctx, row.connectionId)
}

/** Returns a connection of the workspace by its ID, or undefined. */
export async function readConnection(ctx: Ctx, connectionId: string): Promise<ConnectionRow | undefined> {
  const [row] = await ctx.sql<ConnectionRow[]>`
    select ${connectionColumns(ctx.sql)} from connections
    where id = ${connectionId} and workspace_id = ${ctx.workspaceId}`
  return row
}
