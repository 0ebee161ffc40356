import type { PromptMessage, PromptState } from '@waystation/protocol/session/prompt.ts'
import { bigint, integer, json, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/**
 * The prompt of each step that was committed, or that failed. A prompt begins with the previous one (docs/concepts/engine.md#prompt), so most rows
 * store only the difference: skip the first `skipped` messages of the row `base`, take the next `kept`, and append `rest`.
 * A row without a base contains its whole prompt. A base is always older than the rows that refer to it, so a row can be
 * deleted together with all later ones.
 */
export const prompts = pgTable(
  'prompts',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    /** The step's entry in the context. A failed step has no entry, so its prompt only takes an ID of one. */
    id: bigint('id', { mode: 'number' }).notNull(),
    base: bigint('base', { mode: 'number' }),
    skipped: integer('skipped').notNull(),
    kept: integer('kept').notNull(),
    rest: json('rest').$type<PromptMessage[]>().notNull(),
    turnId: text('turn_id').notNull(),
    messageId: text('message_id').notNull(),
    round: integer('round').notNull(),
    messages: integer('messages').notNull(),
    /** The number of tokens according to the provider, and the estimate. */
    tokens: integer('tokens').notNull(),
    estimated: integer('estimated').notNull(),
    /** Digests of rows in `prompt_parts`. */
    instructions: text('instructions').notNull(),
    tools: text('tools').notNull(),
    states: json('states').$type<PromptState[]>().notNull(),
    /** Why the step failed. Null: it was committed. */
    error: jsonb('error').$type<{ code: string; message: string }>(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [primaryKey({ columns: [table.sessionKey, table.id] })]
)

/** Instructions and tool definitions of prompts. Each distinct content is stored once per session. */
export const promptParts = pgTable(
  'prompt_parts',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    digest: text('digest').notNull(),
    content: json('content').$type<unknown>().notNull()
  },
  table => [primaryKey({ columns: [table.sessionKey, table.digest] })]
)
