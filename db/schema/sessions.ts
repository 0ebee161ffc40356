import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex
} from 'drizzle-orm/pg-core'
import type { AgentOverlay } from '#lib/protocol/agent/agent.ts'
import type { HandOff } from '#lib/protocol/agent/hand-off.ts'
import type { OobPolicy } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { SessionStatus, TurnError } from '#lib/protocol/session/event.ts'
import type { DeclaredTool } from '#lib/protocol/session/session.ts'
import { workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * One conversation: everything about it that is listed or edited. What every append changes lives in `heads`.
 * `key` is the internal number that hot tables use; `id` is the caller's own, unique in its workspace. A deleted
 * session keeps its row (its ID can be revived, and `seq` never restarts).
 */
export const sessions = pgTable(
  'sessions',
  {
    key: bigint('key', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    agentId: text('agent_id').notNull(),
    subject: text('subject'),
    /** Bound to an external agent: its messages are sent on, and no turn ever runs. An agent's type never changes. */
    external: boolean('external').notNull().default(false),
    title: text('title').notNull().default(''),
    status: text('status').$type<SessionStatus>().notNull().default('idle'),
    /** Why the last turn failed, and when it will be tried again. */
    error: jsonb('error').$type<TurnError>(),
    retryAt: at('retry_at'),
    /** The last words, 160 characters, for the list. */
    snippet: text('snippet').notNull().default(''),
    /** Who may tell its agent something out of band; what it leaves out is as by default. */
    oobPolicy: jsonb('oob_policy').$type<Partial<OobPolicy>>().notNull().default({}),
    /** The revision of its agent that it runs on; null: the published one, whichever that is. */
    pinnedRevision: integer('pinned_revision'),
    /** What its turns lay over that revision, on a copy of their own; null: nothing. It never gets into the agent (002-8). */
    overlay: jsonb('overlay').$type<AgentOverlay>(),
    /** The agent that speaks in it now, where it was handed to another than its own (003-11), and the newest hand-over. What it is
     * pinned to and what is laid over it is its own agent's, and does not count meanwhile. */
    handedTo: text('handed_to'),
    handed: jsonb('handed').$type<HandOff>(),
    /** Of a sub-agent's: the session, the life of it and the call that it does a part of the work for (001-16). */
    parentKey: bigint('parent_key', { mode: 'number' }),
    parentGeneration: integer('parent_generation'),
    parentCallId: text('parent_call_id'),
    /** The session at the top, and how far below it this one is. What is spent counts there. */
    rootKey: bigint('root_key', { mode: 'number' }),
    depth: integer('depth').notNull().default(0),
    /** It owes its parent a result still. */
    reports: boolean('reports').notNull().default(false),
    clientTools: jsonb('client_tools').$type<DeclaredTool[]>().notNull().default([]),
    /** The prompt window: context entries before this position are left out, `summary` stands for them. */
    contextStart: bigint('context_start', { mode: 'number' }).notNull().default(0),
    /** The tokens of the window: what stands behind its start. Counted with each entry, so that no step sums them up. */
    contextTokens: integer('context_tokens').notNull().default(0),
    /** Out-of-band messages up to this context entry are a line each in the prompt. */
    oobStart: bigint('oob_start', { mode: 'number' }).notNull().default(0),
    summary: text('summary').notNull().default(''),
    /** How often something was taken out of the context: whoever holds the window in memory reads it anew then. */
    contextCuts: integer('context_cuts').notNull().default(0),
    /** The session that this one began as a copy of, and the last message of it that was copied. */
    branchedFrom: text('branched_from'),
    branchedAt: text('branched_at'),
    /** Events at or below this seq are gone: another life of this ID, or past retention. */
    floor: bigint('floor', { mode: 'number' }).notNull().default(0),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    activeAt: at('active_at').notNull().defaultNow(),
    deletedAt: at('deleted_at'),
    /** The same time as `deletedAt` when nobody deleted it but its retention was over; any other says nothing. */
    expiredAt: at('expired_at')
  },
  table => [
    unique('sessions_workspace_id').on(table.workspaceId, table.id),
    // Read backwards for the list: `.desc()` would put NULLs where no query of ours has them, and serve none.
    index('sessions_by_activity')
      .on(table.workspaceId, table.activeAt, table.key)
      .where(sql`deleted_at is null`),
    uniqueIndex('sessions_by_parent')
      .on(table.parentKey, table.parentGeneration, table.parentCallId)
      .where(sql`parent_key is not null`),
    index('sessions_by_root').on(table.rootKey).where(sql`root_key is not null`),
    index('sessions_reporting').on(table.key).where(sql`reports`),
    index('sessions_by_subject').on(table.workspaceId, table.subject).where(sql`subject is not null`)
  ]
)

/**
 * The narrow row that every write of a session locks (docs/concepts/engine.md#head). `seq` is the newest event; `epoch` fences workers:
 * every write of a turn checks it in its own transaction; `owner` is the worker that advances the session; `has_work`
 * says there is something to do. No index covers `seq`, so that an append is a HOT update.
 */
export const heads = pgTable(
  'heads',
  {
    sessionKey: bigint('session_key', { mode: 'number' })
      .primaryKey()
      .references(() => sessions.key, { onDelete: 'cascade' }),
    seq: bigint('seq', { mode: 'number' }).notNull().default(0),
    generation: integer('generation').notNull().default(1),
    epoch: integer('epoch').notNull().default(0),
    owner: text('owner'),
    hasWork: integer('has_work').notNull().default(0),
    turnId: text('turn_id'),
    cancelRequested: text('cancel_requested'),
    format: integer('format').notNull().default(1)
  },
  table => [
    index('heads_owned').on(table.owner).where(sql`owner is not null`),
    index('heads_has_work').on(table.sessionKey).where(sql`has_work > 0 and owner is null`)
  ]
)

/** One row per process that runs turns. It beats once a second; liveness is the worker's, not the session's. */
export const workers = pgTable('workers', {
  id: text('id').primaryKey(),
  host: text('host').notNull(),
  /** Its pool of job workers, whose locks are freed when it dies. */
  poolId: text('pool_id'),
  /** Postgres' process behind the connection of its last beat, which ends when the worker does. */
  backend: integer('backend'),
  startedAt: at('started_at').notNull().defaultNow(),
  heartbeatAt: at('heartbeat_at').notNull().defaultNow()
})
