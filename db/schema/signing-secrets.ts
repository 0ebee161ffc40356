import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * Secrets by which what we send is signed and what comes back is proved (Standard Webhooks). Sealed by the vault; the newest
 * signs, and the ones before it hold until `retiresAt`, so that the other side has time to change over.
 */
export const signingSecrets = pgTable(
  'signing_secrets',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** Whose it is: `agent:<agentId>` or `webhook:<webhookId>`. */
    owner: text('owner').notNull(),
    sealed: text('sealed').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
    retiresAt: at('retires_at')
  },
  table => [index('signing_secrets_by_owner').on(table.workspaceId, table.owner, table.createdAt)]
)
