import type { AuditEntry } from '@waystation/protocol/workspace/audit.ts'
import { bigint, index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/**
 * Records inputs to sessions from outside, decisions of tool rules and remembered approvals, and undone turns. Rows
 * remain when the session is deleted. They contain no content, only that the action happened, its actor and the
 * credential.
 */
export const audit = pgTable(
  'audit',
  {
    workspaceId: text('workspace_id').notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    sessionId: text('session_id').notNull(),
    action: text('action').$type<AuditEntry['action']>().notNull(),
    /**
     * The actor's name as in the log, and the credential that proved it: a link, a signature or the ID of a key.
     */
    actor: text('actor').notNull(),
    credential: text('credential').notNull(),
    messageId: text('message_id').notNull(),
    /** For a call that a rule decided: the call, its tool, and the rule's pattern. */
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
