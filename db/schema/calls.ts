import type { AccountOf, Answerers, Identity } from '@waystation/protocol/call/answer-policy.ts'
import type {
  CallKind,
  CallResult,
  CallState,
  CallWhere,
  OnDeadline,
  RenderHint,
  Via
} from '@waystation/protocol/call/call.ts'
import type { Elicited } from '@waystation/protocol/call/elicitation.ts'
import type { CapQuestion } from '@waystation/protocol/call/spending.ts'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** The URL that receives an external call, and the number of retries. */
export type CallTarget = { url: string; retries: number }

/**
 * Every tool call. `state` is the outcome that an answer or our code set. `result` is what the model receives; an
 * approved call has none until our code ran.
 *
 * `contextId` is the step entry with the call, and null for a call of the engine itself (`limit`). `deferredAt` is
 * set when a step starts while the call is open. From then on, the prompt shows "still waiting" in the place of its
 * result.
 */
export const calls = pgTable(
  'calls',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    toolCallId: text('tool_call_id').notNull(),
    workspaceId: text('workspace_id').notNull(),
    generation: integer('generation').notNull(),
    toolName: text('tool_name').notNull(),
    kind: text('kind').$type<CallKind>().notNull(),
    where: text('where').$type<CallWhere>().notNull(),
    title: text('title'),
    messageId: text('message_id').notNull(),
    turnId: text('turn_id').notNull(),
    contextId: bigint('context_id', { mode: 'number' }),
    input: jsonb('input').$type<unknown>(),
    editedInput: jsonb('edited_input').$type<unknown>(),
    render: jsonb('render').$type<RenderHint>(),
    /**
     * For an external tool: where the call is sent. Fixed when the call opens, like the other properties of the
     * tool.
     */
    target: jsonb('target').$type<CallTarget>(),
    /** The tool's deadline in seconds, if it differs from the default of the kind. */
    deadlineSeconds: integer('deadline_seconds'),
    /**
     * The permitted answerers, as set by its agent or tool when it opened. Null: every caller with the permission to
     * answer.
     */
    answerers: jsonb('answerers').$type<Answerers>(),
    /**
     * The user whose own accounts it can use. Null: no user. `asked` is true if that user was asked while the call
     * ran.
     */
    accountOf: jsonb('account_of').$type<AccountOf & { asked?: true }>(),
    /** For "continue?" at a spending cap: the additional amount that an answer of yes allows. */
    cap: jsonb('cap').$type<CapQuestion>(),
    /** Fixed JSON Schemas that validate the answer and edited arguments. */
    outputSchema: jsonb('output_schema').$type<Record<string, unknown>>(),
    inputSchema: jsonb('input_schema').$type<Record<string, unknown>>(),
    /** The number of rounds for which its result stays in the prompt (001-7). Null: forever. */
    duration: integer('duration'),
    /** The answers of users to the questions that its server asked while it ran, in order. Null: it asked none. */
    elicited: jsonb('elicited').$type<Elicited[]>(),
    /** A digest of the tool's definition. A remembered approval applies only to this digest. */
    toolDigest: text('tool_digest'),
    state: text('state').$type<CallState>().notNull().default('open'),
    result: jsonb('result').$type<CallResult>(),
    since: at('since').notNull(),
    deadline: at('deadline').notNull(),
    onDeadline: text('on_deadline').$type<OnDeadline>().notNull(),
    warnedAt: at('warned_at'),
    deferredAt: at('deferred_at'),
    claimedAt: at('claimed_at'),
    claimedEpoch: integer('claimed_epoch'),
    settledAt: at('settled_at'),
    ranAt: at('ran_at'),
    answeredBy: text('answered_by'),
    /** The identity of the last user who answered. Null: no user answered, or an external system did. */
    answerer: jsonb('answerer').$type<Identity>(),
    /**
     * The users whose text is in its arguments or its result. A plain yes or no does not add a user. Null: only the
     * agent's own text.
     */
    saidBy: jsonb('said_by').$type<Identity[]>(),
    via: text('via').$type<Via>(),
    reason: text('reason'),
    answerDigest: text('answer_digest')
  },
  table => [
    primaryKey({ columns: [table.sessionKey, table.toolCallId] }),
    index('calls_waiting')
      .on(table.workspaceId, table.deadline)
      .where(sql`state = 'open' and kind <> 'server'`),
    index('calls_by_message').on(table.sessionKey, table.messageId),
    index('calls_by_step').on(table.contextId),
    // Queried every minute. An index over all open calls would be scanned completely.
    index('calls_of_agents').on(table.since).where(sql`state = 'open' and kind = 'agent'`),
    index('calls_due').on(table.deadline).where(sql`state = 'open' and kind <> 'server'`),
    index('calls_unfinished').on(table.sessionKey).where(sql`result is null`)
  ]
)
