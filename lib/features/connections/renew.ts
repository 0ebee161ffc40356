import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { openCredential, sealCredential } from './credential.ts'
import { type Integration, integrationFor } from './integration.ts'
import { ProviderRefused } from './providers/provider.ts'
import { providerOf } from './providers/provider-of.ts'
import { giveBack } from './revoke.ts'
import { type ConnectionRow, connectionColumns } from './row.ts'

/** How long one process may take to renew a credential before another tries: to look its provider up, and to ask it. Seconds. */
const patience = 45

/** Renewals under way in this process, by connection and the version that they replace. */
const underWay = new Map<string, Promise<ConnectionRow | undefined>>()

/**
 * Renews a connection's credential: once, however many calls in however many processes ask at the same time. A provider
 * that rotates refresh tokens takes a second use of one for a theft and ends everything. Who renews it is decided under
 * its row's lock, which is not held while the provider is asked: no pooled connection waits for a stranger's answer.
 *
 * Gives the connection as it is then; one that the provider does not accept any more is `needs_auth`; undefined when it
 * is gone. Throws `ProviderRefused` when the provider could not be asked: nothing is known to be over.
 */
export function renew(ctx: Ctx, row: ConnectionRow): Promise<ConnectionRow | undefined> {
  const key = `${row.connectionId} ${row.version}`
  const known = underWay.get(key)
  if (known !== undefined) return known
  const work = renewOnce(ctx, row).finally(() => underWay.delete(key))
  underWay.set(key, work)
  return work
}

async function renewOnce(ctx: Ctx, row: ConnectionRow): Promise<ConnectionRow | undefined> {
  for (;;) {
    // Before the credential: where somebody changes the address, what was given to the one before is erased first.
    const integration = await integrationFor(ctx, row.integration)
    const [mine] = await ctx.sql<ConnectionRow[]>`
      update connections set refreshing_until = clock_timestamp() + make_interval(secs => ${patience})
      where id = ${row.connectionId} and version = ${row.version} and state = 'active'
        and (refreshing_until is null or refreshing_until < clock_timestamp())
      returning ${connectionColumns(ctx.sql)}`
    if (mine !== undefined) return ask(ctx, integration, mine)
    const now = await readConnection(ctx, row.connectionId)
    if (now === undefined || now.version !== row.version || now.state !== 'active') return now
    await pause(100)
  }
}

async function ask(
  ctx: Ctx,
  integration: Integration,
  row: ConnectionRow
): Promise<ConnectionRow | undefined> {
  const { workspaceId, connectionId, version } = row
  const { refreshToken } = openCredential(ctx, row, row.secrets)
  try {
    if (refreshToken === undefined)
      throw new ProviderRefused('The access has expired and cannot be renewed automatically. Connect again.')
    const provider = await providerOf(ctx, integration, row.authority)
    const granted = await provider.refresh(refreshToken)
    const secrets = sealCredential(
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
    const now = await readConnection(ctx, connectionId)
    // Ended while the provider was asked: what it gave since nobody has.
    if (now === undefined || now.state === 'revoked')
      await giveBack(provider, granted.credential, row.integration)
    return now
  } catch (error) {
    const over = error instanceof ProviderRefused && !error.again
    await ctx.sql`
      update connections set refreshing_until = null where id = ${connectionId} and version = ${version}`
    if (!over) throw error
    return refuse(ctx, row, error.message)
  }
}

/** Marks a credential as not accepted any more, unless it was replaced meanwhile; gives the connection as it is then. */
export async function refuse(
  ctx: Ctx,
  row: ConnectionRow,
  fault: string
): Promise<ConnectionRow | undefined> {
  await ctx.sql`
    update connections set state = 'needs_auth', fault = ${fault}, updated_at = clock_timestamp()
    where id = ${row.connectionId} and version = ${row.version} and state = 'active'`
  return readConnection(ctx, row.connectionId)
}

export async function readConnection(ctx: Ctx, connectionId: string): Promise<ConnectionRow | undefined> {
  const [row] = await ctx.sql<ConnectionRow[]>`
    select ${connectionColumns(ctx.sql)} from connections
    where id = ${connectionId} and workspace_id = ${ctx.workspaceId}`
  return row
}
