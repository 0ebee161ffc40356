import type { Ctx } from '#lib/kernel/ctx.ts'
import { decryptCredential, encryptCredential } from './credential.ts'
import { clientSecretOf } from './integration.ts'
import { purposeOf, type SessionOwner } from './mcp/http-sessions.ts'
import { registeredSecretOf } from './mcp/registered-client.ts'

/** Connections per run. Runs every minute; it is not urgent, and each connection is a write. */
const batchSize = 200

type EncryptedRow = {
  connectionId: string
  workspaceId: string
  version: number
  secrets: Record<string, string>
}

/**
 * Encrypts credentials, client secrets and the IDs of MCP sessions with the newest key, so that the operator can
 * remove older keys. A
 * credential that is replaced at the same time is skipped, because the new one already uses the newest key.
 * Secrets whose key is lost are skipped too.
 */
export async function reencryptSecrets(ctx: Ctx): Promise<void> {
  const { vault } = ctx.ports
  const olderKeys = [...vault.olderKeys]
  if (olderKeys.length === 0) return
  const rows = await ctx.sql<EncryptedRow[]>`
    select id as connection_id, workspace_id, version, secrets from connections
    where exists (select from jsonb_each_text(secrets) s where split_part(s.value, '.', 2) = any(${olderKeys}))
    order by id limit ${batchSize}`
  for (const { connectionId, workspaceId, version, secrets } of rows) {
    const scope = { workspaceId, connectionId }
    const secretsToStore = encryptCredential(ctx, scope, decryptCredential(ctx, scope, secrets))
    await ctx.sql`
      update connections set secrets = ${secretsToStore}::jsonb where id = ${connectionId} and version = ${version}`
  }
  const clients = await ctx.sql<{ workspaceId: string; id: string; secret: string }[]>`
    select workspace_id, id, client_secret as secret from integrations
    where split_part(client_secret, '.', 2) = any(${olderKeys})`
  for (const { workspaceId, id, secret } of clients) {
    const purpose = clientSecretOf(workspaceId, id)
    await ctx.sql`
      update integrations set client_secret = ${vault.encrypt(vault.decrypt(secret, purpose), purpose)}
      where workspace_id = ${workspaceId} and id = ${id} and client_secret = ${secret}`
  }
  const registered = await ctx.sql<
    { workspaceId: string; integration: string; issuer: string; secret: string }[]
  >`
    select workspace_id, integration, issuer, client_secret as secret from integration_clients
    where split_part(client_secret, '.', 2) = any(${olderKeys})`
  for (const { workspaceId, integration, issuer, secret } of registered) {
    const purpose = registeredSecretOf(workspaceId, integration, issuer)
    await ctx.sql`
      update integration_clients set client_secret = ${vault.encrypt(vault.decrypt(secret, purpose), purpose)}
      where workspace_id = ${workspaceId} and integration = ${integration} and issuer = ${issuer}
        and client_secret = ${secret}`
  }
  const sessions = await ctx.sql<(SessionOwner & { secret: string })[]>`
    select session_key, generation, workspace_id, integration, connection_id, secret from mcp_sessions
    where split_part(secret, '.', 2) = any(${olderKeys}) limit ${batchSize}`
  for (const { secret, ...owner } of sessions)
    await ctx.sql`
      update mcp_sessions set secret = ${vault.encrypt(vault.decrypt(secret, purposeOf(owner)), purposeOf(owner))}
      where session_key = ${owner.sessionKey} and secret = ${secret}`
}
