import { integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { SpendCaps } from '#lib/protocol/call/spending.ts'
import type { ToolRule } from '#lib/protocol/call/tool-rules.ts'
import type { ToolSettings } from '#lib/protocol/call/tool-settings.ts'
import type { OobDefaults } from '#lib/protocol/out-of-band/oob-defaults.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** A tenant. Every other row belongs to one; another workspace's row is not found (docs/concepts/engine.md#workspaces). */
export const workspaces = pgTable('workspaces', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** HMAC secret of this workspace's capability links (callbacks, answer URLs). Never leaves the server. */
  linkSecret: text('link_secret').notNull(),
  /** Web origins (`https://shop.example`) whose pages may use this workspace's session tokens. */
  allowedOrigins: jsonb('allowed_origins').$type<string[]>().notNull().default([]),
  /** The most that its sessions may spend before somebody is asked. */
  spendCaps: jsonb('spend_caps').$type<SpendCaps>().notNull().default({}),
  /** Which calls of its agents are denied, allowed or asked about. */
  toolRules: jsonb('tool_rules').$type<ToolRule[]>().notNull().default([]),
  /** How long calls may run, how many at once, and how failed model calls are tried again. */
  toolSettings: jsonb('tool_settings').$type<ToolSettings>().notNull().default({}),
  /** When out-of-band messages expire that do not say it themselves. */
  outOfBand: jsonb('out_of_band').$type<OobDefaults>().notNull().default({}),
  /** Days after its last activity that a session is kept; null: for ever. */
  retentionDays: integer('retention_days'),
  createdAt: at('created_at').notNull().defaultNow()
})

export const users = pgTable('users', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').unique(),
  image: text('image'),
  settings: jsonb('settings').$type<Record<string, unknown>>().notNull().default({}),
  createdAt: at('created_at').notNull().defaultNow()
})

export type Role = 'owner' | 'editor' | 'operator' | 'viewer'

export const members = pgTable(
  'members',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role').$type<Role>().notNull(),
    createdAt: at('created_at').notNull().defaultNow()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.userId] })]
)

/** API keys: only the SHA-256 of the secret is kept; `prefix` is what a list shows. */
export const apiKeys = pgTable('api_keys', {
  id: text('id').primaryKey(),
  workspaceId: text('workspace_id')
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  name: text('name').notNull(),
  hash: text('hash').notNull().unique(),
  prefix: text('prefix').notNull(),
  role: text('role').$type<Role>().notNull().default('editor'),
  createdBy: text('created_by'),
  createdAt: at('created_at').notNull().defaultNow(),
  lastUsedAt: at('last_used_at'),
  revokedAt: at('revoked_at')
})
