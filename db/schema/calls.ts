import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { AccountOf, Answerers, Identity } from '#lib/protocol/call/answerers.ts'
import type {
  CallKind,
  CallResult,
  CallState,
  CallWhere,
  OnDeadline,
  RenderHint,
  Via
} from '#lib/protocol/call/call.ts'
import type { Elicited } from '#lib/protocol/call/elicitation.ts'
import type { AskedCap } from '#lib/protocol/call/spending.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Where an external call is announced, and how often that is tried again. */
export type CallTarget = { url: string; retries: number }

/**
 * Every tool call. `state` is what somebody answered; `result` is what the model is told (an approved call has
 * none until our code ran). `contextId` is the step entry that holds the call, null for a call of our own (`limit`).
 * `deferredAt`: a step began while it was open; from then on its result at its place is "still waiting".
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
    /** Of an external tool: where it is announced, frozen like the rest. */
    target: jsonb('target').$type<CallTarget>(),
    /** How long its tool lets it wait, in seconds, when that is not the kind's default. */
    deadlineSeconds: integer('deadline_seconds'),
    /** Who may answer it, as its agent or tool said when it opened; null: whoever may answer at all. */
    answerers: jsonb('answerers').$type<Answerers>(),
    /** The person whose own accounts it may use; null: nobody. `asked`: that person was asked while the call ran. */
    accountOf: jsonb('account_of').$type<AccountOf & { asked?: true }>(),
    /** Of "continue?" at a spending cap: what continuing allows. */
    cap: jsonb('cap').$type<AskedCap>(),
    /** Frozen JSON Schemas: what the answer, and edited arguments, are checked by. */
    outputSchema: jsonb('output_schema').$type<Record<string, unknown>>(),
    inputSchema: jsonb('input_schema').$type<Record<string, unknown>>(),
    /** For how many rounds its result stays in the prompt (001-7); null: for ever. */
    duration: integer('duration'),
    /** What people answered to its server's questions in its middle, in their order; null: it asked none. */
    elicited: jsonb('elicited').$type<Elicited[]>(),
    /** The tool as it was: what an approval that is remembered holds for. */
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
    /** The identity of the last person who answered. null: no person did, or another system did. */
    answerer: jsonb('answerer').$type<Identity>(),
    /** The people whose words are in its arguments or its result. A plain yes or no does not count. null: only the agent's own words. */
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
    // Looked at each minute: an index over all open calls would be read whole.
    index('calls_of_agents').on(table.since).where(sql`state = 'open' and kind = 'agent'`),
    index('calls_due').on(table.deadline).where(sql`state = 'open' and kind <> 'server'`),
    index('calls_unfinished').on(table.sessionKey).where(sql`result is null`)
  ]
)
