import type { Ctx } from '#lib/kernel/ctx.ts'
import { openCredential, sealCredential } from './credential.ts'
import { clientSecretOf } from './integration.ts'
import { registeredSecretOf } from './mcp/registered.ts'

/** How many are sealed anew each minute: it is nobody's hurry, and each is a write. */
const batch = 200

type Sealed = { connectionId: string; workspaceId: string; version: number; secrets: Record<string, string> }

/**
 * Seals with the newest key what an older one had sealed, so that the older one can be taken off the ring in the end. A
 * credential that is replaced at the same moment is left as it is: what replaces it is sealed with the newest. What a key that
 * is lost had sealed stays as it is, and holds nothing up.
 */
export async function resealConnections(ctx: Ctx): Promise<void> {
  const { vault } = ctx.ports
  const older = [...vault.olderKeys]
  if (older.length === 0) return
  const rows = await ctx.sql<Sealed[]>`
    select id as connection_id, workspace_id, version, secrets from connections
    where exists (select from jsonb_each_text(secrets) s where split_part(s.value, '.', 2) = any(${older}))
    order by id limit ${batch}`
  for (const { connectionId, workspaceId, version, secrets } of rows) {
    const place = { workspaceId, connectionId }
    const sealed = sealCredential(ctx, place, openCredential(ctx, place, secrets))
    await ctx.sql`
      update connections set secrets = ${sealed}::jsonb where id = ${connectionId} and version = ${version}`
  }
  const clients = await ctx.sql<{ workspaceId: string; id: string; secret: string }[]>`
    select workspace_id, id, client_secret as secret from integrations
    where split_part(client_secret, '.', 2) = any(${older})`
  for (const { workspaceId, id, secret } of clients) {
    const purpose = clientSecretOf(workspaceId, id)
    await ctx.sql`
      update integrations set client_secret = ${vault.seal(vault.open(secret, purpose), purpose)}
      where workspace_id = ${workspaceId} and id = ${id} and client_secret = ${secret}`
  }
  const registered = await ctx.sql<
    { workspaceId: string; integration: string; issuer: string; secret: string }[]
  >`
    select workspace_id, integration, issuer, client_secret as secret from integration_clients
    where split_part(client_secret, '.', 2) = any(${older})`
  for (const { workspaceId, integration, issuer, secret } of registered) {
    const purpose = registeredSecretOf(workspaceId, integration, issuer)
    await ctx.sql`
      update integration_clients set client_secret = ${vault.seal(vault.open(secret, purpose), purpose)}
      where workspace_id = ${workspaceId} and integration = ${integration} and issuer = ${issuer}
        and client_secret = ${secret}`
  }
}
