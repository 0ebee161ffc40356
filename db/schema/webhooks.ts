import type { WebhookEvent } from '@waystation/protocol/external-agent/webhook.ts'
import { jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

/** The URLs that receive events of a workspace's sessions. */
export const webhooks = pgTable(
  'webhooks',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    url: text('url').notNull(),
    events: jsonb('events').$type<WebhookEvent[]>().notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.id] })]
)
