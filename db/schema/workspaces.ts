import type { SpendCaps } from '@waystation/protocol/call/spending.ts'
import type { ToolRule } from '@waystation/protocol/call/tool-rules.ts'
import type { ToolSettings } from '@waystation/protocol/call/tool-settings.ts'
import type { OobSettings } from '@waystation/protocol/out-of-band/oob-settings.ts'
import type { OobTrust } from '@waystation/protocol/out-of-band/oob-trust.ts'
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * A tenant. Every other row belongs to a workspace. Requests to another workspace's row get "not found"
 * (docs/concepts/engine.md#workspaces).
 */
export const workspaces = pgTable('workspaces', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** The HMAC secret of this workspace's capability links (callbacks, answer URLs). It never leaves the server. */
  linkSecret: text('link_secret').notNull(),
  /** Web origins (`https://shop.example`) whose pages can use this workspace's session tokens. */
  allowedOrigins: jsonb('allowed_origins').$type<string[]>().notNull().default([]),
  /** The amounts that its sessions can spend before a user is asked. */
  spendCaps: jsonb('spend_caps').$type<SpendCaps>().notNull().default({}),
  /** Rules that deny, allow or ask about calls of its agents. */
  toolRules: jsonb('tool_rules').$type<ToolRule[]>().notNull().default([]),
  /** The time limit and concurrency of calls, and the retries of failed model calls. */
  toolSettings: jsonb('tool_settings').$type<ToolSettings>().notNull().default({}),
  /** The defaults and limits of out-of-band messages. */
  outOfBand: jsonb('out_of_band').$type<OobSettings>().notNull().default({}),
  /** The number of days for which a session is stored after its last activity. Null: forever. */
  retentionDays: integer('retention_days'),
  /** If sessions that owners and editors start in the playground have the build kit. */
  buildKit: boolean('build_kit').notNull().default(true),
  /** The model that `default` means in this workspace. Null: the server's default. */
  defaultModel: text('default_model'),
  /** True while a workspace file names it. */
  inFile: boolean('in_file').notNull().default(false),
  createdAt: at('created_at').notNull().defaultNow(),
  /** Set when an owner deleted it. A job then deletes its data, and at last this row. */
  deletedAt: at('deleted_at')
})

/** The users of all workspaces. `members` contains their roles, and `identities` the accounts with which they sign in. */
export const users = pgTable('users', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').unique(),
  image: text('image'),
  settings: jsonb('settings').$type<Record<string, unknown>>().notNull().default({}),
  createdAt: at('created_at').notNull().defaultNow()
})

/** The roles of members and API keys, from most to least permissions. */
export type Role = 'owner' | 'editor' | 'operator' | 'viewer'

/** The users of a workspace, each with a role. */
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

/** API keys. Only the SHA-256 of the secret is stored. Lists show `prefix`. */
export const apiKeys = pgTable('api_keys', {
  id: text('id').primaryKey(),
  workspaceId: text('workspace_id')
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  name: text('name').notNull(),
  hash: text('hash').notNull().unique(),
  prefix: text('prefix').notNull(),
  role: text('role').$type<Role>().notNull().default('editor'),
  /** The out-of-band messages that it can send. Null: the key is older than these limits, and has full trust. */
  outOfBand: jsonb('out_of_band').$type<OobTrust>(),
  createdBy: text('created_by'),
  createdAt: at('created_at').notNull().defaultNow(),
  lastUsedAt: at('last_used_at'),
  revokedAt: at('revoked_at')
})
