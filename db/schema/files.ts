import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
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

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/**
 * The complete files that users attach (001-21). A file belongs to one session and is deleted with it. `messageId`
 * is the message that contains it. If it is null, or the message was deleted, the file is unused and gets deleted.
 * `digest` is the SHA-256 of the bytes, in hexadecimal.
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
