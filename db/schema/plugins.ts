import type { PluginCapability } from '@waystation/protocol/plugin/plugin.ts'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

/** The saved settings of a workspace's gRPC plugins (003-5): text by field name. */
export const pluginSettings = pgTable(
  'plugin_settings',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    plugin: text('plugin').notNull(),
    settings: jsonb('settings').$type<Record<string, string>>().notNull(),
    savedBy: text('saved_by').notNull(),
    savedAt: timestamp('saved_at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.plugin] })]
)

/**
 * The gRPC plugins that owners added by their address (003-3). `capabilities`, `version` and `digest` are those of the
 * manifest that an owner accepted.
 */
export const workspacePlugins = pgTable(
  'workspace_plugins',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** `remotes://host:port` or `remote://host:port`. */
    source: text('source').notNull(),
    /** SHA-256 of the plugin's certificate, in lower-case hex. */
    pin: text('pin'),
    /** The certificate authorities that are trusted for it, as PEM. */
    ca: text('ca'),
    failClosed: boolean('fail_closed').notNull(),
    disabled: boolean('disabled').notNull(),
    version: text('version').notNull(),
    capabilities: jsonb('capabilities').$type<PluginCapability[]>().notNull(),
    digest: text('digest').notNull(),
    addedBy: text('added_by').notNull(),
    addedAt: timestamp('added_at', { withTimezone: true, mode: 'date' }).notNull(),
    changedAt: timestamp('changed_at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.name] })]
)

/**
 * The processes that run copies of local plugins. `copyIndex` is the lowest number that was free when the process
 * started. A process that was not seen for a while is dead, and its row is deleted.
 */
export const pluginProcesses = pgTable('plugin_processes', {
  id: text('id').primaryKey(),
  copyIndex: integer('copy_index').notNull().unique(),
  seenAt: timestamp('seen_at', { withTimezone: true, mode: 'date' }).notNull()
})

/** The open streams of users to copies of local plugins (003-14). */
export const pluginStreams = pgTable(
  'plugin_streams',
  {
    id: text('id').primaryKey(),
    processId: text('process_id')
      .notNull()
      .references(() => pluginProcesses.id, { onDelete: 'cascade' }),
    workspaceId: text('workspace_id').notNull(),
    plugin: text('plugin').notNull(),
    userId: text('user_id').notNull(),
    openedAt: timestamp('opened_at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [index('plugin_streams_of_user').on(table.workspaceId, table.plugin, table.userId)]
)

/** Requests of views to the copy of a plugin in another process, for as long as they run. */
export const pluginRequests = pgTable(
  'plugin_requests',
  {
    id: text('id').primaryKey(),
    processId: text('process_id')
      .notNull()
      .references(() => pluginProcesses.id, { onDelete: 'cascade' }),
    workspaceId: text('workspace_id').notNull(),
    plugin: text('plugin').notNull(),
    request: jsonb('request').notNull(),
    response: jsonb('response'),
    /** The process of the copy has taken the request. */
    taken: boolean('taken').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [index('plugin_requests_of_process').on(table.processId)]
)
