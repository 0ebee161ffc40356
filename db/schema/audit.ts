import { bigint, index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { AuditEntry } from '#lib/protocol/workspace/audit.ts'

/**
 * What somebody outside put into a session, what a tool rule or a remembered approval decided in it, and which turns somebody
 * undid: one row each, kept when the session is
 * deleted. Never what was said, only that it was, by whom and by which credential.
 */
export const audit = pgTable(
  'audit',
  {
    workspaceId: text('workspace_id').notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    sessionId: text('session_id').notNull(),
    action: text('action').$type<AuditEntry['action']>().notNull(),
    /** Who did it, as the log names them; and what proved it: a link, a signature or a key by its ID. */
    actor: text('actor').notNull(),
    credential: text('credential').notNull(),
    messageId: text('message_id').notNull(),
    /** Of a call that a rule decided: which one, of which tool, and the rule's pattern. */
    toolCallId: text('tool_call_id'),
    toolName: text('tool_name'),
    pattern: text('pattern'),
    at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    index('audit_by_session').on(table.workspaceId, table.sessionId, table.id)
  ]
)
