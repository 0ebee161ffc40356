import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf, mayEdit } from '#lib/kernel/identity.ts'
import { log } from '#lib/kernel/log.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { InConnection } from '#lib/protocol/connection/connection.ts'
import { type Credential, openCredential } from './credential.ts'
import { integrationIfAny } from './integration.ts'
import { visibleConnection } from './list.ts'
import type { Provider } from './providers/provider.ts'
import { providerOf } from './providers/provider-of.ts'
import type { ConnectionRow } from './row.ts'

/** What ending one came to. `atProvider`: what the provider was told as well; `unknown` where it has no door, or did not answer. */
export type Ended = { connectionId: string; atProvider: 'revoked' | 'unknown' }

/**
 * Ends a connection: its credential is erased here first, so that the next request of a running turn has none; then the
 * provider is told, as far as it can be.
 */
export async function revokeConnection(ctx: Ctx, { connectionId }: InConnection): Promise<Ended> {
  const row = await visibleConnection(ctx, connectionId)
  checkMayEnd(ctx, row)
  await ctx.sql`
    update connections set state = 'revoked', secrets = '{}', version = version + 1, expires_at = null, refreshing_until = null,
      fault = ${`Ended by ${ctx.actor.name}.`}, updated_at = clock_timestamp()
    where id = ${connectionId}`
  return { connectionId, atProvider: await tellProvider(ctx, row) }
}

/** The same, and nothing of it is left. */
export async function deleteConnection(ctx: Ctx, { connectionId }: InConnection): Promise<Ended> {
  const row = await visibleConnection(ctx, connectionId)
  checkMayEnd(ctx, row)
  await ctx.sql`delete from connections where id = ${connectionId}`
  return { connectionId, atProvider: await tellProvider(ctx, row) }
}

/** One's own, and the rest for those who may change agents. */
function checkMayEnd({ actor }: Ctx, row: ConnectionRow): void {
  const mine = row.owner === identityOf(actor).id
  if (mine || (row.sharing === 'user' ? 'role' in actor && actor.role === 'owner' : mayEdit(actor))) return
  throw new Refusal('FORBIDDEN', 'You cannot end this connection. Ask an owner to end it.')
}

/** It is over here whatever the provider says, and whether or not what it gave can still be opened. */
async function tellProvider(ctx: Ctx, row: ConnectionRow): Promise<Ended['atProvider']> {
  if (row.mode !== 'oauth' || Object.keys(row.secrets).length === 0) return 'unknown'
  return told(row.integration, async () => {
    const integration = await integrationIfAny(ctx, row.integration)
    if (integration === undefined) return false
    const provider = await providerOf(ctx, integration, row.authority)
    return provider.revoke(openCredential(ctx, row, row.secrets))
  })
}

/**
 * Has the very provider that gave something forget it: it came when nobody wanted it any more. What the integration says by
 * now is another matter: a credential is shown to nobody but whom it came from.
 */
export const giveBack = (
  provider: Pick<Provider, 'revoke'>,
  credential: Credential,
  integration: string
): Promise<Ended['atProvider']> => told(integration, () => provider.revoke(credential))

async function told(integration: string, tell: () => Promise<boolean>): Promise<Ended['atProvider']> {
  try {
    return (await tell()) ? 'revoked' : 'unknown'
  } catch (error) {
    const because = error instanceof Error ? error.message : 'unknown'
    log('warn', 'could not revoke a connection at its provider', { integration, because })
    return 'unknown'
  }
}
