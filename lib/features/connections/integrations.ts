import { invalid, notFound } from '@waystation/base/api-error.ts'
import { isLoopback } from '@waystation/base/is-loopback.ts'
import type { AttemptOutcome, ConnectionState } from '@waystation/protocol/connection/connection.ts'
import {
  type InIntegration,
  IntegrationConfig,
  type ListedIntegration,
  type SaveIntegration
} from '@waystation/protocol/connection/integration.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { needOf } from './discover.ts'
import {
  allIntegrations,
  clientSecretOf,
  type Integration,
  integrationFor,
  integrationIfAny,
  modesOf
} from './integration.ts'
import { callbackOf } from './providers/oauth.ts'

type ConnectionRef = { integration: string; slug: string; state: ConnectionState }

/** Lists every integration, with the connections that the caller can use: their own and the workspace's. */
export async function listIntegrations(ctx: Ctx): Promise<{ integrations: ListedIntegration[] }> {
  const callerConnections = await ctx.sql<ConnectionRef[]>`
    select integration, slug, state from connections
    where workspace_id = ${ctx.workspaceId}
      and (sharing = 'workspace' or (sharing = 'user' and owner = ${identityOf(ctx.actor).id}))
    order by integration, slug`
  return { integrations: (await allIntegrations(ctx)).map(entry => toListed(ctx, entry, callerConnections)) }
}

/** Returns an integration's configuration for editing, without the client secret. */
export async function getIntegration(ctx: Ctx, { integration }: InIntegration) {
  const { clientSecret, own, ...config } = await integrationFor(ctx, integration)
  return { config, hasClientSecret: clientSecret !== undefined, own }
}

/**
 * Saves a complete configuration. The client secret is encrypted. If it is omitted, the saved one stays,
 * unless its destinations have changed. Throws `INVALID_INPUT`.
 */
export async function saveIntegration(ctx: Ctx, input: SaveIntegration): Promise<ListedIntegration> {
  const parsed = IntegrationConfig.safeParse(
    withBase({ ...(input.config as object), integration: input.integration })
  )
  if (!parsed.success)
    throw invalid(
      'The integration config is not valid. Correct the named fields.',
      Object.fromEntries(
        parsed.error.issues.map(({ path, message }) => [['config', ...path].join('.'), message])
      )
    )
  const config = parsed.data
  checkAddresses(config)
  checkAccount(config)
  const previous = await integrationIfAny(ctx, input.integration)
  if (previous !== undefined && destinationsOf(previous) !== destinationsOf(config))
    await endConnections(ctx, input.integration, `changed where this integration sends its secrets`)
  const isSameClient =
    previous === undefined || clientDestinationsOf(previous) === clientDestinationsOf(config)
  const encryptedSecret =
    input.clientSecret === undefined
      ? null
      : ctx.ports.vault.encrypt(input.clientSecret, clientSecretOf(ctx.workspaceId, input.integration))
  await ctx.sql`
    insert into integrations (workspace_id, id, config, client_secret, saved_by, saved_at)
    values (${ctx.workspaceId}, ${input.integration}, ${config}::jsonb, ${encryptedSecret}, ${ctx.actor.name}, clock_timestamp())
    on conflict (workspace_id, id) do update set config = excluded.config, saved_by = excluded.saved_by,
      saved_at = excluded.saved_at, client_secret = coalesce(excluded.client_secret, case when ${isSameClient} then integrations.client_secret end)`
  return toListed(ctx, await integrationFor(ctx, input.integration), [])
}

/** Uses an MCP server's own URL as the API base. */
const withBase = (config: { integration: string; mcp?: unknown; apiBase?: unknown }): object => {
  const { mcp } = config
  const url = typeof mcp === 'object' && mcp !== null && 'url' in mcp ? mcp.url : undefined
  return url === undefined || config.apiBase !== undefined ? config : { ...config, apiBase: url }
}

/** Deletes the workspace's integration and ends its connections. Throws `NOT_FOUND`. */
export async function removeIntegration(ctx: Ctx, { integration }: InIntegration): Promise<InIntegration> {
  const [deleted] = await ctx.sql`
    delete from integrations where workspace_id = ${ctx.workspaceId} and id = ${integration} returning id`
  if (deleted === undefined) throw notFound('integration', integration)
  // A built-in integration or a later one with this name may have another address.
  await endConnections(ctx, integration, 'removed this integration')
  return { integration }
}

/** Identifies the destinations of all secrets of an integration. */
const destinationsOf = (config: IntegrationConfig): string =>
  JSON.stringify([
    new URL(config.apiBase).origin,
    [...config.origins].sort(),
    clientDestinationsOf(config),
    config.mcp?.url
  ])

/** Identifies the destinations of the client's secret: the issuer and the token, revocation and device endpoints. */
const clientDestinationsOf = ({ oauth }: IntegrationConfig): string =>
  JSON.stringify([
    oauth?.issuer,
    oauth?.tokenEndpoint,
    oauth?.revocationEndpoint,
    oauth?.deviceAuthorizationEndpoint
  ])

/**
 * Ends the integration's connections, because a credential for one service must not reach another after an
 * address has changed. Users must connect again. Open attempts end for the same reason.
 */
async function endConnections(ctx: Ctx, integration: string, action: string): Promise<void> {
  const message = `${ctx.actor.name} ${action}.`
  const outcome: AttemptOutcome = { connected: false, reason: 'failed', words: message }
  await ctx.sql`
    update connection_attempts set outcome = ${outcome}::jsonb, used_at = coalesce(used_at, clock_timestamp()),
      sealed = null, poll_at = null
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and outcome is null`
  await ctx.sql`
    update connections set state = 'needs_auth', secrets = '{}', version = version + 1, expires_at = null,
      fault = ${message}, updated_at = clock_timestamp()
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and state <> 'revoked'`
  await deleteMcpData(ctx, integration)
}

/** Deletes the stored data of an MCP server: this server's registration, the checks and the tools. */
async function deleteMcpData(ctx: Ctx, integration: string): Promise<void> {
  const { workspaceId } = ctx
  await ctx.sql`
    delete from integration_clients where workspace_id = ${workspaceId} and integration = ${integration}`
  await ctx.sql`delete from mcp_checks where workspace_id = ${workspaceId} and integration = ${integration}`
  await ctx.sql`delete from mcp_tool_lists where workspace_id = ${workspaceId} and integration = ${integration}`
  await ctx.sql`delete from mcp_tool_versions where workspace_id = ${workspaceId} and integration = ${integration}`
}

/** Throws unless all addresses that receive secrets use TLS or are on this machine. */
function checkAddresses({ apiBase, origins, oauth, mcp }: IntegrationConfig): void {
  const addresses: Record<string, string | undefined> = {
    apiBase,
    ...Object.fromEntries(origins.map((origin, index) => [`origins.${index}`, origin])),
    'oauth.issuer': oauth?.issuer,
    'oauth.authorizationEndpoint': oauth?.authorizationEndpoint,
    'oauth.tokenEndpoint': oauth?.tokenEndpoint,
    'oauth.revocationEndpoint': oauth?.revocationEndpoint,
    'oauth.deviceAuthorizationEndpoint': oauth?.deviceAuthorizationEndpoint,
    'mcp.url': mcp?.url
  }
  const insecure = Object.entries(addresses).filter(([, address]) => {
    const url = address === undefined ? null : URL.parse(address)
    return url !== null && url.protocol !== 'https:' && !isLoopback(url.hostname)
  })
  if (insecure.length > 0)
    throw invalid(
      'These addresses receive secrets, so they must use https.',
      Object.fromEntries(insecure.map(([name]) => [`config.${name}`, 'must use https']))
    )
}

/**
 * Throws unless the account's name is requested from the service itself, because the request contains the
 * credential.
 */
function checkAccount({ apiBase, origins, account }: IntegrationConfig): void {
  if (account === undefined) return
  const url = URL.parse(account.path, apiBase)
  if (url !== null && [apiBase, ...origins].some(entry => new URL(entry).origin === url.origin)) return
  throw invalid('Credentials are sent only to the API base and the listed origins.', {
    'config.account.path': 'must be at the API base or one of the origins'
  })
}

function toListed(
  ctx: Ctx,
  entry: Integration,
  callerConnections: readonly ConnectionRef[]
): ListedIntegration {
  const { integration, service, description, sharing, own, oauth, mcp } = entry
  const connections = callerConnections.filter(row => row.integration === integration)
  const isReady = connections.some(({ state }) => state === 'active')
  return {
    integration,
    service,
    ...(description === undefined ? {} : { description }),
    state: isReady ? 'ready' : needOf(entry),
    modes: modesOf(entry),
    scopes: oauth?.scopes ?? mcp?.scopes ?? [],
    sharing,
    own,
    redirectUri: callbackOf(ctx),
    connections: connections.map(({ slug, state }) => ({ slug, state }))
  }
}
