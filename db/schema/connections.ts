import type {
  AttemptOutcome,
  ConnectionState,
  ConnectMode,
  CredentialKind,
  Sharing
} from '@waystation/protocol/connection/connection.ts'
import type { Authority, IntegrationConfig } from '@waystation/protocol/connection/integration.ts'
import type { CheckedState, McpTool } from '@waystation/protocol/connection/mcp.ts'
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique
} from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * The workspace's own integrations, in addition to those of the server. They take precedence over those with the
 * same ID.
 */
export const integrations = pgTable(
  'integrations',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    config: jsonb('config').$type<IntegrationConfig>().notNull(),
    /** The client secret at the provider, encrypted. */
    clientSecret: text('client_secret'),
    savedBy: text('saved_by').notNull(),
    savedAt: at('saved_at').notNull()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.id] })]
)

/**
 * Accounts that agents can use, one for each workspace, integration, slug, sharing and owner (002d). `secrets`
 * contains each field of the credential, encrypted separately and bound to the workspace, the connection and the
 * field.
 *
 * `version` counts the credentials: a refresh replaces only the version that it started from.
 */
export const connections = pgTable(
  'connections',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    integration: text('integration').notNull(),
    slug: text('slug').notNull(),
    sharing: text('sharing').$type<Sharing>().notNull(),
    /** The owner: the identity of a user or end user, or a generation of a session. Empty: the workspace. */
    owner: text('owner').notNull(),
    ownerName: text('owner_name').notNull(),
    mode: text('mode').$type<CredentialKind>().notNull(),
    state: text('state').$type<ConnectionState>().notNull(),
    /** The provider's name for the account. */
    account: text('account'),
    scopes: jsonb('scopes').$type<string[]>().notNull().default([]),
    secrets: jsonb('secrets').$type<Record<string, string>>().notNull().default({}),
    version: integer('version').notNull().default(1),
    /** When the access token expires, according to the provider. */
    expiresAt: at('expires_at'),
    /** Another process refreshes the credential until this time. All others wait for the result. */
    refreshingUntil: at('refreshing_until'),
    /** Why the connection is no longer active, as text for users. */
    fault: text('fault'),
    /**
     * The authorization server, client and resource of the credential, if they were discovered. A refresh uses only
     * these.
     */
    authority: jsonb('authority').$type<Authority>(),
    connectedBy: text('connected_by').notNull(),
    /** The identity of `connectedBy`. Null: the connection is older than this column. */
    connectedById: text('connected_by_id'),
    connectedAt: at('connected_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    lastUsedAt: at('last_used_at')
  },
  table => [
    unique('connections_of').on(table.workspaceId, table.integration, table.slug, table.sharing, table.owner)
  ]
)

/**
 * The client that this server registered (RFC 7591) at an authorization server that an MCP server names. One
 * process registers it, until `registeringUntil`, and the others wait for the result. `clientId` is null until
 * then.
 */
export const integrationClients = pgTable(
  'integration_clients',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    integration: text('integration').notNull(),
    issuer: text('issuer').notNull(),
    clientId: text('client_id'),
    /** Encrypted. Null for a public client. */
    clientSecret: text('client_secret'),
    clientAuth: text('client_auth').$type<Authority['clientAuth']>(),
    redirectUri: text('redirect_uri').notNull(),
    /** When the secret expires, according to the authorization server. */
    expiresAt: at('expires_at'),
    registeringUntil: at('registering_until')
  },
  table => [primaryKey({ columns: [table.workspaceId, table.integration, table.issuer] })]
)

/**
 * The tools of an MCP server, as last listed through any connection. They stay known while no account is connected.
 */
export const mcpToolLists = pgTable(
  'mcp_tool_lists',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    integration: text('integration').notNull(),
    url: text('url').notNull(),
    tools: jsonb('tools').$type<McpTool[]>().notNull(),
    listedAt: at('listed_at').notNull()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.integration] })]
)

/** The result of the last request to an MCP server in a workspace, from a turn or from a user's check. */
export const mcpChecks = pgTable(
  'mcp_checks',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    integration: text('integration').notNull(),
    /**
     * The address that was checked. The result does not apply to another URL, or to a program that starts
     * differently.
     */
    url: text('url').notNull(),
    state: text('state').$type<CheckedState>().notNull(),
    at: at('at').notNull(),
    tookMs: integer('took_ms').notNull(),
    /** Why the request failed, as text for users. */
    error: text('error')
  },
  table => [primaryKey({ columns: [table.workspaceId, table.integration] })]
)

/**
 * The definitions of an MCP server's tools that were accepted in a workspace, or offered as a replacement of an
 * accepted one (001-19). Agents use the definition that was accepted last. A definition that was only offered has
 * no `acceptedAt`.
 */
export const mcpToolVersions = pgTable(
  'mcp_tool_versions',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    integration: text('integration').notNull(),
    name: text('name').notNull(),
    digest: text('digest').notNull(),
    definition: jsonb('definition').$type<McpTool>().notNull(),
    acceptedAt: at('accepted_at'),
    /** Null: it was the first definition. */
    acceptedBy: text('accepted_by')
  },
  table => [primaryKey({ columns: [table.workspaceId, table.integration, table.name, table.digest] })]
)

/**
 * The sessions that MCP servers opened over HTTP, one for each agent instance, server and account (001-19). Calls
 * continue them. They end with the generation of the instance.
 */
export const mcpSessions = pgTable(
  'mcp_sessions',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    generation: integer('generation').notNull(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    integration: text('integration').notNull(),
    url: text('url').notNull(),
    /** The account's connection. Empty: no account. */
    connectionId: text('connection_id').notNull(),
    /** `Mcp-Session-Id`, encrypted. */
    secret: text('secret').notNull(),
    protocolVersion: text('protocol_version').notNull(),
    openedAt: at('opened_at').notNull()
  },
  table => [
    primaryKey({
      name: 'mcp_sessions_pk',
      columns: [table.sessionKey, table.generation, table.integration, table.connectionId]
    })
  ]
)

/** The sessions that used a connection, and the time of the last use. */
export const connectionUses = pgTable(
  'connection_uses',
  {
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.id, { onDelete: 'cascade' }),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    usedAt: at('used_at').notNull()
  },
  table => [
    primaryKey({ columns: [table.connectionId, table.sessionKey] }),
    index('connection_uses_by_session').on(table.sessionKey)
  ]
)

/**
 * An attempt to connect an account, from the click to the provider's response. It belongs to the user who started
 * it and to the browser that opened its window. The values that pass through that browser are
 * stored only as digests. `usedAt` is set when its state is redeemed, once.
 */
export const connectionAttempts = pgTable(
  'connection_attempts',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    integration: text('integration').notNull(),
    slug: text('slug').notNull(),
    mode: text('mode').$type<ConnectMode>().notNull(),
    sharing: text('sharing').$type<Sharing>().notNull(),
    owner: text('owner').notNull(),
    ownerName: text('owner_name').notNull(),
    /** The call that requested the account. Null if the attempt was started on the connections page. */
    sessionKey: bigint('session_key', { mode: 'number' }),
    generation: integer('generation'),
    toolCallId: text('tool_call_id'),
    scopes: jsonb('scopes').$type<string[]>().notNull().default([]),
    begunBy: text('begun_by').notNull(),
    /** As an identity: `person:…`, `key:…`, `subject:…`. */
    begunById: text('begun_by_id').notNull(),
    /** The origin of the page that opened the window. Only this page receives the outcome. */
    opener: text('opener').notNull(),
    ticketHash: text('ticket_hash').notNull().unique(),
    browserHash: text('browser_hash'),
    stateHash: text('state_hash').unique(),
    /** The PKCE verifier and the nonce, or the device code, encrypted. */
    sealed: text('sealed'),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
    /** For a device code: the earliest time of the next poll, and the poll interval in seconds. */
    pollAt: at('poll_at'),
    pollSeconds: integer('poll_seconds'),
    outcome: jsonb('outcome').$type<AttemptOutcome>()
  },
  table => [index('connection_attempts_by_age').on(table.createdAt)]
)
