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
import type {
  AttemptOutcome,
  ConnectionState,
  ConnectMode,
  CredentialKind,
  Sharing
} from '#lib/protocol/connection/connection.ts'
import type { Authority, IntegrationConfig } from '#lib/protocol/connection/integration.ts'
import type { CheckedState, McpTool } from '#lib/protocol/connection/mcp.ts'
import { workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Services that a workspace's agents may use an account at, beside those that the server brings; its own win over those. */
export const integrations = pgTable(
  'integrations',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    config: jsonb('config').$type<IntegrationConfig>().notNull(),
    /** The client's secret at the provider, sealed. */
    clientSecret: text('client_secret'),
    savedBy: text('saved_by').notNull(),
    savedAt: at('saved_at').notNull()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.id] })]
)

/**
 * Accounts that agents may use: one for each workspace, integration, slug and whose it is (002d). `secrets` holds each
 * field of the credential sealed on its own, bound to this workspace, this connection and that field. `version` counts
 * its credentials: a refresh replaces the version that it began from, and no other.
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
    /** Whose: a person or an end user by identity, a life of a session; empty: the workspace's. */
    owner: text('owner').notNull(),
    ownerName: text('owner_name').notNull(),
    mode: text('mode').$type<CredentialKind>().notNull(),
    state: text('state').$type<ConnectionState>().notNull(),
    /** What the provider calls the account. */
    account: text('account'),
    scopes: jsonb('scopes').$type<string[]>().notNull().default([]),
    secrets: jsonb('secrets').$type<Record<string, string>>().notNull().default({}),
    version: integer('version').notNull().default(1),
    /** When the access token runs out, by what the provider said. */
    expiresAt: at('expires_at'),
    /** A process is renewing it until then: the others wait for what comes of it. */
    refreshingUntil: at('refreshing_until'),
    /** Why it is not active any more, in words. */
    fault: text('fault'),
    /** Who gave it, to which client, for what: set where that was looked up, so that it is renewed there and nowhere else. */
    authority: jsonb('authority').$type<Authority>(),
    connectedBy: text('connected_by').notNull(),
    /** The identity of the same; null: connected before this was stored. */
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
 * As whom this server registered itself (RFC 7591) at an authorization server that an MCP server names. One process
 * registers, until `registeringUntil`; the others wait for what comes of it. `clientId` null: nobody has yet.
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
    /** Sealed; null for a public client. */
    clientSecret: text('client_secret'),
    clientAuth: text('client_auth').$type<Authority['clientAuth']>(),
    redirectUri: text('redirect_uri').notNull(),
    /** When the secret runs out, by what the authorization server said. */
    expiresAt: at('expires_at'),
    registeringUntil: at('registering_until')
  },
  table => [primaryKey({ columns: [table.workspaceId, table.integration, table.issuer] })]
)

/** The tools of an MCP server as somebody's connection last listed them: known also while nobody is connected. */
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

/** How an MCP server was found when it was last asked in a workspace: by a turn, or by somebody who looked. */
export const mcpChecks = pgTable(
  'mcp_checks',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    integration: text('integration').notNull(),
    /** What was asked: of another address, or a program that is started otherwise, it says nothing. */
    url: text('url').notNull(),
    state: text('state').$type<CheckedState>().notNull(),
    at: at('at').notNull(),
    tookMs: integer('took_ms').notNull(),
    /** Why it did not answer, in words. */
    error: text('error')
  },
  table => [primaryKey({ columns: [table.workspaceId, table.integration] })]
)

/**
 * The definitions of an MCP server's tools that were accepted in a workspace, or offered to somebody in place of one that was
 * (001-19). The one that was accepted last is the one that its agents are told; one that was only offered has no `acceptedAt`.
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
    /** Null: it was the first that was seen. */
    acceptedBy: text('accepted_by')
  },
  table => [primaryKey({ columns: [table.workspaceId, table.integration, table.name, table.digest] })]
)

/** By which sessions a connection was used, and when last. */
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
 * Somebody is connecting an account: from the click to the provider's answer. It belongs to whoever began it and to the
 * browser that opened its window; of what goes through that browser only digests are kept. `usedAt`: its state was
 * redeemed, once.
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
    /** The call that asked for it; null when it was begun on the page of connections. */
    sessionKey: bigint('session_key', { mode: 'number' }),
    generation: integer('generation'),
    toolCallId: text('tool_call_id'),
    scopes: jsonb('scopes').$type<string[]>().notNull().default([]),
    begunBy: text('begun_by').notNull(),
    /** By identity: `person:…`, `key:…`, `subject:…`. */
    begunById: text('begun_by_id').notNull(),
    /** The origin of the page that opens the window, which alone is told how it ended. */
    opener: text('opener').notNull(),
    ticketHash: text('ticket_hash').notNull().unique(),
    browserHash: text('browser_hash'),
    stateHash: text('state_hash').unique(),
    /** The PKCE verifier and the nonce, or the device code, sealed. */
    sealed: text('sealed'),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
    /** Of a device code: when its provider may be asked next, and how long to wait between two questions, in seconds. */
    pollAt: at('poll_at'),
    pollSeconds: integer('poll_seconds'),
    outcome: jsonb('outcome').$type<AttemptOutcome>()
  },
  table => [index('connection_attempts_by_age').on(table.createdAt)]
)
