import { ApiError } from '@waystation/base/api-error.ts'
import { log } from '@waystation/base/log.ts'
import type { InConnection } from '@waystation/protocol/connection/connection.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { canEdit, identityOf } from '#lib/kernel/identity.ts'
import { type Credential, decryptCredential } from './credential.ts'
import { integrationIfAny } from './integration.ts'
import { visibleConnection } from './list.ts'
import type { Provider } from './providers/provider.ts'
import { providerOf } from './providers/provider-of.ts'
import type { ConnectionRow } from './row.ts'

/**
 * The result of ending a connection. `atProvider` is `unknown` if the provider does not support revocation or
 * did not respond.
 */
export type EndedConnection = { connectionId: string; atProvider: 'revoked' | 'unknown' }

/**
 * Ends a connection. Its credential is erased here first, so that the next request of a running turn has
 * none. Then it is revoked at the provider if possible. Throws `NOT_FOUND` or `FORBIDDEN`.
 */
export async function revokeConnection(ctx: Ctx, { connectionId }: InConnection): Promise<EndedConnection> {
  const row = await visibleConnection(ctx, connectionId)
  checkMayEnd(ctx, row)
  await ctx.sql`
    update connections set state = 'revoked', secrets = '{}', version = version + 1, expires_at = null, refreshing_until = null,
      fault = ${`Ended by ${ctx.actor.name}.`}, updated_at = clock_timestamp()
    where id = ${connectionId}`
  return { connectionId, atProvider: await revokeAtProvider(ctx, row) }
}

/** Ends a connection as `revokeConnection` does, and deletes its row. */
export async function deleteConnection(ctx: Ctx, { connectionId }: InConnection): Promise<EndedConnection> {
  const row = await visibleConnection(ctx, connectionId)
  checkMayEnd(ctx, row)
  await ctx.sql`delete from connections where id = ${connectionId}`
  return { connectionId, atProvider: await revokeAtProvider(ctx, row) }
}

/**
 * Users can end their own connections, and owners those of other users. All others require permission to edit
 * agents.
 */
function checkMayEnd({ actor }: Ctx, row: ConnectionRow): void {
  const isOwn = row.owner === identityOf(actor).id
  if (isOwn || (row.sharing === 'user' ? 'role' in actor && actor.role === 'owner' : canEdit(actor))) return
  throw new ApiError('FORBIDDEN', 'You cannot end this connection. Ask an owner to end it.')
}

/**
 * Revokes the credential at the provider. Errors are ignored, also if the credential cannot be decrypted,
 * because the connection has already ended here.
 */
async function revokeAtProvider(ctx: Ctx, row: ConnectionRow): Promise<EndedConnection['atProvider']> {
  if (row.mode !== 'oauth' || Object.keys(row.secrets).length === 0) return 'unknown'
  return revokeOrLog(row.integration, async () => {
    const integration = await integrationIfAny(ctx, row.integration)
    if (integration === undefined) return false
    const provider = await providerOf(ctx, integration, row.authority)
    return provider.revoke(decryptCredential(ctx, row, row.secrets))
  })
}

/**
 * Revokes an unused credential at the provider that granted it. The integration may name another provider by
 * now, which must not receive the credential.
 */
export const revokeUnused = (
  provider: Pick<Provider, 'revoke'>,
  credential: Credential,
  integration: string
): Promise<EndedConnection['atProvider']> => revokeOrLog(integration, () => provider.revoke(credential))

async function revokeOrLog(
  integration: string,
  revoke: () => Promise<boolean>
): Promise<EndedConnection['atProvider']> {
  try {
    return (await revoke()) ? 'revoked' : 'unknown'
  } catch (error) {
    const because = error instanceof Error ? error.message : 'unknown'
    log('warn', 'could not revoke a connection at its provider', { integration, because })
    return 'unknown'
  }
}
