import type { CapScope } from '@waystation/protocol/call/spending.ts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp
} from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

/**
 * Spending in US dollars, as turns count it: one row for each generation of a session and each UTC day. Rows are
 * written under the session's lock, so two sessions never write to the same row, and no index covers the column
 * that a step changes. There is no foreign key to the session, because spending remains when the session is
 * deleted.
 */
export const spending = pgTable(
  'spending',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    day: date('day').notNull(),
    generation: integer('generation').notNull(),
    subject: text('subject'),
    usd: doublePrecision('usd').notNull()
  },
  table => [
    primaryKey({ columns: [table.workspaceId, table.sessionKey, table.day, table.generation] }),
    index('spending_by_subject')
      .on(table.workspaceId, table.subject, table.day)
      .where(sql`subject is not null`),
    index('spending_by_day').on(table.workspaceId, table.day)
  ]
)

/**
 * Additional amounts that "continue" allowed above a cap. `about` is the session's key, the subject, or empty for
 * the workspace. `period` is the first day of the cap's period. `level` is the number of grants when the question
 * was asked, so that several answers to the same question in different sessions count once.
 */
export const spendGrants = pgTable(
  'spend_grants',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    scope: text('scope').$type<CapScope>().notNull(),
    about: text('about').notNull(),
    period: date('period').notNull(),
    level: integer('level').notNull(),
    usd: doublePrecision('usd').notNull(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    toolCallId: text('tool_call_id').notNull(),
    grantedBy: text('granted_by').notNull(),
    grantedAt: timestamp('granted_at', { withTimezone: true, mode: 'date' })
      .notNull()
      .default(sql`clock_timestamp()`)
  },
  table => [primaryKey({ columns: [table.workspaceId, table.scope, table.about, table.period, table.level] })]
)
