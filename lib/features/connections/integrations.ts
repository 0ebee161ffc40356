import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { isLoopback } from '#lib/kernel/is-loopback.ts'
import { invalid, notFound } from '#lib/kernel/refusal.ts'
import type { AttemptOutcome, ConnectionState } from '#lib/protocol/connection/connection.ts'
import {
  type InIntegration,
  IntegrationConfig,
  type ListedIntegration,
  type SaveIntegration
} from '#lib/protocol/connection/integration.ts'
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

type Theirs = { integration: string; slug: string; state: ConnectionState }

/** Every integration, with the connections that the caller could use: their own and the workspace's. */
export async function listIntegrations(ctx: Ctx): Promise<{ integrations: ListedIntegration[] }> {
  const theirs = await ctx.sql<Theirs[]>`
    select integration, slug, state from connections
    where workspace_id = ${ctx.workspaceId}
      and (sharing = 'workspace' or (sharing = 'user' and owner = ${identityOf(ctx.actor).id}))
    order by integration, slug`
  return { integrations: (await allIntegrations(ctx)).map(one => listed(ctx, one, theirs)) }
}

/** One as it is configured, for whoever changes it. */
export async function getIntegration(ctx: Ctx, { integration }: InIntegration) {
  const { clientSecret, own, ...config } = await integrationFor(ctx, integration)
  return { config, hasClientSecret: clientSecret !== undefined, own }
}

/**
 * Saves a whole configuration. The client's secret is sealed; left out, the one that was saved before stays, as long as it
 * goes where it went.
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
  const before = await integrationIfAny(ctx, input.integration)
  if (before !== undefined && placesOf(before) !== placesOf(config))
    await endUse(ctx, input.integration, `changed where this integration sends its secrets`)
  const isSameClient = before === undefined || clientPlacesOf(before) === clientPlacesOf(config)
  const sealed =
    input.clientSecret === undefined
      ? null
      : ctx.ports.vault.seal(input.clientSecret, clientSecretOf(ctx.workspaceId, input.integration))
  await ctx.sql`
    insert into integrations (workspace_id, id, config, client_secret, saved_by, saved_at)
    values (${ctx.workspaceId}, ${input.integration}, ${config}::jsonb, ${sealed}, ${ctx.actor.name}, clock_timestamp())
    on conflict (workspace_id, id) do update set config = excluded.config, saved_by = excluded.saved_by,
      saved_at = excluded.saved_at, client_secret = coalesce(excluded.client_secret, case when ${isSameClient} then integrations.client_secret end)`
  return listed(ctx, await integrationFor(ctx, input.integration), [])
}

/** An MCP server's own address is where requests to it go. */
const withBase = (config: { integration: string; mcp?: unknown; apiBase?: unknown }): object => {
  const { mcp } = config
  const url = typeof mcp === 'object' && mcp !== null && 'url' in mcp ? mcp.url : undefined
  return url === undefined || config.apiBase !== undefined ? config : { ...config, apiBase: url }
}

export async function removeIntegration(ctx: Ctx, { integration }: InIntegration): Promise<InIntegration> {
  const [gone] = await ctx.sql`
    delete from integrations where workspace_id = ${ctx.workspaceId} and id = ${integration} returning id`
  if (gone === undefined) throw notFound('integration', integration)
  // What the server brings under this name, or somebody saves under it later, may be at another address.
  await endUse(ctx, integration, 'removed this integration')
  return { integration }
}

/** Where an integration's secrets go. */
const placesOf = (config: IntegrationConfig): string =>
  JSON.stringify([
    new URL(config.apiBase).origin,
    [...config.origins].sort(),
    clientPlacesOf(config),
    config.mcp?.url
  ])

/** Where the client's own secret goes: whoever looks the rest up, or is asked for tokens or codes, or to forget one. */
const clientPlacesOf = ({ oauth }: IntegrationConfig): string =>
  JSON.stringify([
    oauth?.issuer,
    oauth?.tokenEndpoint,
    oauth?.revocationEndpoint,
    oauth?.deviceAuthorizationEndpoint
  ])

/**
 * What was given to one service is not sent to another because somebody changed an address: it is asked for again. So it is
 * with what is being given now: attempts that are under way are over.
 */
async function endUse(ctx: Ctx, integration: string, because: string): Promise<void> {
  const words = `${ctx.actor.name} ${because}.`
  const over: AttemptOutcome = { connected: false, reason: 'failed', words }
  await ctx.sql`
    update connection_attempts set outcome = ${over}::jsonb, used_at = coalesce(used_at, clock_timestamp()),
      sealed = null, poll_at = null
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and outcome is null`
  await ctx.sql`
    update connections set state = 'needs_auth', secrets = '{}', version = version + 1, expires_at = null,
      fault = ${words}, updated_at = clock_timestamp()
    where workspace_id = ${ctx.workspaceId} and integration = ${integration} and state <> 'revoked'`
  await forgetMcp(ctx, integration)
}

/** What was learned of an MCP server: as whom this server is registered for it, and its tools. */
async function forgetMcp(ctx: Ctx, integration: string): Promise<void> {
  const { workspaceId } = ctx
  await ctx.sql`
    delete from integration_clients where workspace_id = ${workspaceId} and integration = ${integration}`
  await ctx.sql`delete from mcp_checks where workspace_id = ${workspaceId} and integration = ${integration}`
  await ctx.sql`delete from mcp_tool_lists where workspace_id = ${workspaceId} and integration = ${integration}`
  await ctx.sql`delete from mcp_tool_versions where workspace_id = ${workspaceId} and integration = ${integration}`
}

/** Codes, tokens and keys go there: over TLS, or to this machine itself. */
function checkAddresses({ apiBase, origins, oauth, mcp }: IntegrationConfig): void {
  const named: Record<string, string | undefined> = {
    apiBase,
    ...Object.fromEntries(origins.map((origin, index) => [`origins.${index}`, origin])),
    'oauth.issuer': oauth?.issuer,
    'oauth.authorizationEndpoint': oauth?.authorizationEndpoint,
    'oauth.tokenEndpoint': oauth?.tokenEndpoint,
    'oauth.revocationEndpoint': oauth?.revocationEndpoint,
    'oauth.deviceAuthorizationEndpoint': oauth?.deviceAuthorizationEndpoint,
    'mcp.url': mcp?.url
  }
  const plain = Object.entries(named).filter(([, address]) => {
    const url = address === undefined ? null : URL.parse(address)
    return url !== null && url.protocol !== 'https:' && !isLoopback(url.hostname)
  })
  if (plain.length > 0)
    throw invalid(
      'These addresses receive secrets, so they must use https.',
      Object.fromEntries(plain.map(([name]) => [`config.${name}`, 'must use https']))
    )
}

/** Whose account it is, is asked with the credential: at the service itself. */
function checkAccount({ apiBase, origins, account }: IntegrationConfig): void {
  if (account === undefined) return
  const url = URL.parse(account.path, apiBase)
  if (url !== null && [apiBase, ...origins].some(one => new URL(one).origin === url.origin)) return
  throw invalid('Credentials are sent only to the API base and the listed origins.', {
    'config.account.path': 'must be at the API base or one of the origins'
  })
}

function listed(ctx: Ctx, one: Integration, theirs: readonly Theirs[]): ListedIntegration {
  const { integration, service, description, sharing, own, oauth, mcp } = one
  const connections = theirs.filter(row => row.integration === integration)
  const isReady = connections.some(({ state }) => state === 'active')
  return {
    integration,
    service,
    ...(description === undefined ? {} : { description }),
    state: isReady ? 'ready' : needOf(one),
    modes: modesOf(one),
    scopes: oauth?.scopes ?? mcp?.scopes ?? [],
    sharing,
    own,
    redirectUri: callbackOf(ctx),
    connections: connections.map(({ slug, state }) => ({ slug, state }))
  }
}
