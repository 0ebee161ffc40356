import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * Secrets that sign our messages to external systems and verify their replies (Standard Webhooks), encrypted by the
 * vault. The newest one signs. Older ones stay valid until `retiresAt`, so that the other side has time to change.
 */
export const signingSecrets = pgTable(
  'signing_secrets',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** The owner: `agent:<agentId>` or `webhook:<webhookId>`. */
    owner: text('owner').notNull(),
    sealed: text('sealed').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
    retiresAt: at('retires_at')
  },
  table => [index('signing_secrets_by_owner').on(table.workspaceId, table.owner, table.createdAt)]
)
