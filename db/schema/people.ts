import { boolean, index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { type Role, users, workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * By what a person is known when they sign in: who vouches for them (`issuer`, an origin or an OpenID issuer) and the
 * account there (`subject`). Nothing else says who somebody is: `label` is what the provider calls them, shown and never
 * compared.
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
 * Links into a workspace, each for one person. Only the SHA-256 of a link's token is kept. `claim`: the one that makes the
 * first owner, which has no end of its own; its token is derived from its ID.
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
    /** The person among them who made it; null when it was a key. */
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
 * The sign-ins of people, one for each browser. A session cookie names its row and opens nothing without it. A row is deleted
 * when its sign-in ends: by sign-out, when its member is removed, and some time after `expiresAt`.
 */
export const signIns = pgTable(
  'sign_ins',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address that the provider has verified; null where it names none. Nothing is decided by it. */
    email: text('email'),
    /** The browser's `User-Agent`, at most 300 characters. */
    userAgent: text('user_agent').notNull(),
    createdAt: at('created_at').notNull(),
    /** Nothing moves it. */
    expiresAt: at('expires_at').notNull()
  },
  table => [index('sign_ins_by_user').on(table.userId)]
)

/** The sign-in links of local mode that were used, until their end: each signs in once. */
export const usedLinks = pgTable('used_links', {
  id: text('id').primaryKey(),
  endsAt: at('ends_at').notNull()
})
