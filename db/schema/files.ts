import { sql } from 'drizzle-orm'
import {
  bigint,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp
} from 'drizzle-orm/pg-core'
import type { Identity } from '#lib/protocol/call/answerers.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/**
 * What people attach (001-21), whole: a file belongs to one session, and goes with it. `messageId`: the message that it was
 * sent in; null, or a message that is gone: nobody's, and it is removed. `digest`: SHA-256 of the bytes, in hexadecimal.
 */
export const files = pgTable(
  'files',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    id: text('id').notNull(),
    workspaceId: text('workspace_id').notNull(),
    generation: integer('generation').notNull(),
    messageId: text('message_id'),
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    size: integer('size').notNull(),
    digest: text('digest').notNull(),
    bytes: bytea('bytes').notNull(),
    createdBy: jsonb('created_by').$type<Identity>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [
    primaryKey({ columns: [table.sessionKey, table.id] }),
    index('files_unsent').on(table.createdAt).where(sql`message_id is null`)
  ]
)
