import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * Tokens for one session, for the end users of an embedding product. Only the SHA-256 of the secret is stored. A
 * token is valid for one generation of one session. It ends when the session is deleted, at `revokedAt`, or at
 * `expiresAt`.
 */
export const sessionTokens = pgTable(
  'session_tokens',
  {
    id: text('id').primaryKey(),
    hash: text('hash').notNull().unique(),
    workspaceId: text('workspace_id').notNull(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    generation: integer('generation').notNull(),
    /** The end user, according to the product. Also used in `answeredBy` and `sentBy`. */
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
