import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/**
 * Approvals that also apply to later calls (001-15), in one generation of a session, or in the whole workspace if
 * `sessionKey` is null. They apply to the tool with the definition at that time (`toolDigest`). They apply to
 * exactly these arguments (`inputDigest`, and `input` for display), or to any arguments if these are null.
 * `toolCallId` is the call that was approved.
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
    /** The user who approved: the name as in the log, the ID for policies, and the role of an API key. */
    grantedBy: text('granted_by').notNull(),
    granterId: text('granter_id'),
    granterRole: text('granter_role'),
    /** The session and message of the approved call, for the record. */
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
