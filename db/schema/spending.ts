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
import type { CapScope } from '#lib/protocol/call/spending.ts'
import { workspaces } from './workspaces.ts'

/**
 * What was spent, in US dollars as turns count them: a row for each life of a session and each UTC day. It is written
 * under that session's lock, so no two sessions ever write to one row, and no index covers what a step changes. It knows
 * no session: what was spent is spent, also when the session is deleted.
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
 * What "continue" allowed on top of a cap: `about` is the session's key, the subject, or empty for the workspace;
 * `period` the first day that it counts for. `level` is how many of them there were when it was asked for, so whoever
 * says yes to the same question in several sessions says it once.
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
