import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/**
 * What somebody approved for later calls as well (001-15): of a session's life, or where `sessionKey` is null, of the whole
 * workspace. Of this tool as it was then (`toolDigest`), with these very arguments (`inputDigest`, and to be shown, `input`)
 * or, where that is null, with any. The call it was said at is `toolCallId`.
 */
export const grants = pgTable(
  'grants',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    sessionKey: bigint('session_key', { mode: 'number' }),
    generation: integer('generation'),
    toolName: text('tool_name').notNull(),
    toolDigest: text('tool_digest').notNull(),
    inputDigest: text('input_digest'),
    input: jsonb('input'),
    /** Who said so, as the log names them; as a policy knows them, with the role of a key. */
    grantedBy: text('granted_by').notNull(),
    granterId: text('granter_id'),
    granterRole: text('granter_role'),
    /** Where: it stays on record there. */
    sessionId: text('session_id').notNull(),
    messageId: text('message_id').notNull(),
    toolCallId: text('tool_call_id').notNull(),
    at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [
    index('grants_of_tool').on(table.workspaceId, table.toolName),
    index('grants_of_session').on(table.sessionKey)
  ]
)
