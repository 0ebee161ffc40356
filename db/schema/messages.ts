import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique
} from 'drizzle-orm/pg-core'
import type { Answerer, Identity } from '#lib/protocol/call/answerers.ts'
import type { Message } from '#lib/protocol/session/message.ts'
import type { PromptUsage } from '#lib/protocol/session/prompt-usage.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * Folded messages, as people see them. `foldedSeq` is the newest event that is in `message`; a live message's later
 * chunks are folded on top when it is read (never more than one step of them). `pos` orders a session's messages.
 */
export const messages = pgTable(
  'messages',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    id: text('id').notNull(),
    pos: bigint('pos', { mode: 'number' }).notNull(),
    role: text('role').$type<'user' | 'assistant'>().notNull(),
    message: jsonb('message').$type<Message>().notNull(),
    /** Of a person's message: who sent it, also when somebody else has the same name, and what they might do then. */
    sender: jsonb('sender').$type<Identity & Answerer>(),
    foldedSeq: bigint('folded_seq', { mode: 'number' }).notNull(),
    done: boolean('done').notNull().default(false),
    doneAt: at('done_at'),
    compactedAt: at('compacted_at')
  },
  table => [
    primaryKey({ columns: [table.sessionKey, table.id] }),
    unique('messages_by_pos').on(table.sessionKey, table.pos),
    index('messages_open').on(table.sessionKey).where(sql`role = 'assistant' and not done`),
    index('messages_to_compact')
      .on(table.doneAt)
      .where(sql`role = 'assistant' and done and compacted_at is null`)
  ]
)

/**
 * What the model sees, entry by entry: appended in the transaction that begins or commits a step, never changed
 * (docs/concepts/engine.md#prompt), so the prompt of a step begins with the prompt of the one before. `tokens` is the heuristic size, and
 * `resultTokens` what of it a step's results are. `usage` of a step: how its prompt was counted, and what its provider said
 * of it; null in those of an older server, and of a step that was stopped.
 */
export const context = pgTable(
  'context',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<'user' | 'step' | 'answer' | 'note'>().notNull(),
    turnId: text('turn_id').notNull(),
    messageId: text('message_id'),
    toolCallId: text('tool_call_id'),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    tokens: integer('tokens').notNull(),
    resultTokens: integer('result_tokens').notNull().default(0),
    usage: jsonb('usage').$type<PromptUsage>()
  },
  // The session first: by the ID alone a plan could read other sessions' entries on its way to those of this one.
  table => [primaryKey({ columns: [table.sessionKey, table.id] })]
)

/** Everybody whose words the agent of a session has ever received (`lib/engine/context/authors.ts`). `id` as in `Identity`. */
export const sessionAuthors = pgTable(
  'session_authors',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    id: text('id').notNull(),
    name: text('name').notNull()
  },
  table => [primaryKey({ columns: [table.sessionKey, table.id] }), index('session_authors_of').on(table.id)]
)
