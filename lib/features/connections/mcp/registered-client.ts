import { setTimeout as pause } from 'node:timers/promises'
import type { ServerMetadata } from 'openid-client'
import { callbackOf } from '#lib/features/connections/providers/oauth.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Client } from './oauth-client.ts'
import { register } from './register.ts'

/** How long a process may take to register before another one tries. Seconds. */
const leaseSeconds = 20

type Row = { clientId: string | null; clientAuth: Client['clientAuth'] | null; isUsable: boolean }

/**
 * Returns the client that this server has registered at an authorization server for an integration. It
 * registers if there is no client, its callback differs, or its secret has expired. Concurrent callers
 * register only once: one of them claims the row, but it is not locked during the request.
 */
export async function registeredClient(
  ctx: Ctx,
  integration: string,
  metadata: ServerMetadata,
  auth: Client['clientAuth']
): Promise<Client> {
  const { workspaceId, sql } = ctx
  const { issuer } = metadata
  const redirectUri = callbackOf(ctx)
  for (;;) {
    const [existing] = await sql<Row[]>`
      select client_id, client_auth, client_id is not null
        and redirect_uri = ${redirectUri} and coalesce(expires_at > clock_timestamp(), true) as is_usable
      from integration_clients
      where workspace_id = ${workspaceId} and integration = ${integration} and issuer = ${issuer}`
    if (existing?.isUsable && existing.clientId !== null && existing.clientAuth !== null)
      return { clientId: existing.clientId, clientAuth: existing.clientAuth }
    const [claimed] = await sql`
      insert into integration_clients as c (workspace_id, integration, issuer, redirect_uri, registering_until)
      values (${workspaceId}, ${integration}, ${issuer}, ${redirectUri},
        clock_timestamp() + make_interval(secs => ${leaseSeconds}))
      on conflict (workspace_id, integration, issuer) do update set registering_until = excluded.registering_until
      where (c.registering_until is null or c.registering_until < clock_timestamp()) and (c.client_id is null
        or c.redirect_uri <> ${redirectUri} or c.expires_at <= clock_timestamp())
      returning issuer`
    if (claimed !== undefined) return registerOnce(ctx, integration, metadata, auth)
    await pause(100)
  }
}

async function registerOnce(
  ctx: Ctx,
  integration: string,
  metadata: ServerMetadata,
  auth: Client['clientAuth']
): Promise<Client> {
  const { workspaceId, sql } = ctx
  const { issuer } = metadata
  try {
    const { clientId, clientAuth, clientSecret, expiresAt } = await register(ctx, metadata, auth)
    const encryptedSecret =
      clientSecret === undefined
        ? null
        : ctx.ports.vault.encrypt(clientSecret, registeredSecretOf(workspaceId, integration, issuer))
    await sql`
      update integration_clients set client_id = ${clientId}, client_auth = ${clientAuth}, client_secret = ${encryptedSecret},
        redirect_uri = ${callbackOf(ctx)}, expires_at = to_timestamp(${expiresAt ?? null}::float8), registering_until = null
      where workspace_id = ${workspaceId} and integration = ${integration} and issuer = ${issuer}`
    return { clientId, clientAuth }
  } catch (error) {
    await sql`
      update integration_clients set registering_until = null
      where workspace_id = ${workspaceId} and integration = ${integration} and issuer = ${issuer}`
    throw error
  }
}

/**
 * Returns the secret of a client that this server registered. Undefined if it has none or another client is
 * registered now.
 */
export async function registeredSecret(
  ctx: Ctx,
  integration: string,
  { issuer, clientId }: { issuer: string; clientId: string }
): Promise<string | undefined> {
  const [row] = await ctx.sql<{ secret: string | null }[]>`
    select client_secret as secret from integration_clients
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and issuer = ${issuer}
      and client_id = ${clientId}`
  if (row === undefined || row.secret === null) return undefined
  return ctx.ports.vault.decrypt(row.secret, registeredSecretOf(ctx.workspaceId, integration, issuer))
}

/** Returns the encryption context of a registered client's secret. */
export const registeredSecretOf = (workspaceId: string, integration: string, issuer: string): string =>
  `integration ${workspaceId} ${integration} client-secret at ${issuer}`
