import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * Keys to one session for the end users of somebody's product (api.md "Who is calling"): only the SHA-256 of the secret
 * is kept. It opens one life of one session; deleting that session ends it, as `revokedAt` and `expiresAt` do.
 */
export const sessionTokens = pgTable(
  'session_tokens',
  {
    id: text('id').primaryKey(),
    hash: text('hash').notNull().unique(),
    workspaceId: text('workspace_id').notNull(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    generation: integer('generation').notNull(),
    /** Who the product says its user is; stands in `answeredBy` and `sentBy`. */
    subject: text('subject').notNull(),
    scopes: jsonb('scopes').$type<('read' | 'send' | 'answer')[]>().notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    revokedAt: at('revoked_at')
  },
  table => [
    index('session_tokens_by_session').on(table.sessionKey, table.createdAt),
    index('session_tokens_by_subject').on(table.workspaceId, table.subject)
  ]
)
