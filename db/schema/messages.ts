import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { Answerer } from '@waystation/protocol/call/answerers.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import type { PromptUsage } from '@waystation/protocol/session/prompt-usage.ts'
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

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * Folded messages, as users see them. `foldedSeq` is the newest event in `message`. Later chunks of a live message,
 * at most one step, are folded when it is read. `pos` orders a session's messages.
 */
export const messages = pgTable(
  'messages',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    id: text('id').notNull(),
    pos: bigint('pos', { mode: 'number' }).notNull(),
    role: text('role').$type<'user' | 'assistant'>().notNull(),
    message: jsonb('message').$type<Message>().notNull(),
    /**
     * For a user's message: the identity of the sender, because names are not unique, and the sender's permissions
     * at that time.
     */
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
 * The entries of the model's prompt, appended in the transaction that starts or commits a step. They never change
 * (docs/concepts/engine.md#prompt), so the prompt of a step starts with the previous prompt.
 *
 * `tokens` is the estimated size, and `resultTokens` the part of it that a step's results take. `usage` of a step
 * contains the estimate of its prompt and the provider's token counts. It is null for a stopped step and for steps
 * of older servers.
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
  // The session comes first. With the ID alone, a query plan could read other sessions' entries.
  table => [primaryKey({ columns: [table.sessionKey, table.id] })]
)

/**
 * Every user whose text the agent of a session has ever received (`lib/engine/context/authors.ts`). `id` as in
 * `Identity`.
 */
export const sessionAuthors = pgTable(
  'session_authors',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    id: text('id').notNull(),
    name: text('name').notNull()
  },
  table => [primaryKey({ columns: [table.sessionKey, table.id] }), index('session_authors_of').on(table.id)]
)
