import { boolean, index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { type Role, users, workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * The accounts with which a user signs in: the provider (`issuer`, an origin or an OpenID issuer) and the account
 * there (`subject`). Only these two identify a user. `label` is the provider's name for the account; it is shown
 * and never compared.
 */
export const identities = pgTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text('provider').notNull(),
    label: text('label').notNull(),
    createdAt: at('created_at').notNull(),
    seenAt: at('seen_at').notNull()
  },
  table => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index('identities_by_user').on(table.userId)
  ]
)

/**
 * Invitation links to a workspace, each for one user. Only the SHA-256 of a link's token is stored. `claim` marks
 * the link that creates the first owner. It never expires, and its token is derived from its ID.
 */
export const invites = pgTable(
  'invites',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull().unique(),
    role: text('role').$type<Role>().notNull(),
    claim: boolean('claim').notNull().default(false),
    createdBy: text('created_by').notNull(),
    /** The ID of the user who created it. Null for an API key. */
    creatorId: text('creator_id'),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at'),
    usedAt: at('used_at'),
    usedBy: text('used_by'),
    revokedAt: at('revoked_at')
  },
  table => [index('invites_by_workspace').on(table.workspaceId, table.createdAt)]
)

/**
 * The sign-ins of users, one for each browser. A session cookie names its row and is invalid without it. A row is
 * deleted on sign-out, when its member is removed, and some time after `expiresAt`.
 */
export const signIns = pgTable(
  'sign_ins',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The email address that the provider has verified, or null. No permission depends on it. */
    email: text('email'),
    /** The browser's `User-Agent`, at most 300 characters. */
    userAgent: text('user_agent').notNull(),
    createdAt: at('created_at').notNull(),
    /** Fixed: activity does not extend it. */
    expiresAt: at('expires_at').notNull()
  },
  table => [index('sign_ins_by_user').on(table.userId)]
)

/** The used sign-in links of local mode, stored until they expire. Each link signs in once. */
export const usedLinks = pgTable('used_links', {
  id: text('id').primaryKey(),
  endsAt: at('ends_at').notNull()
})
