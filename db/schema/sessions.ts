import type { AgentOverlay } from '@waystation/protocol/agent/agent.ts'
import type { HandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { OwnOobPolicy } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { SessionStatus, TurnError } from '@waystation/protocol/session/event.ts'
import type { DeclaredTool } from '@waystation/protocol/session/session.ts'
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
import { workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * A conversation, with all data that is listed or edited. `heads` contains the data that every append changes.
 * `key` is the internal number that hot tables use; `id` is the caller's own, unique in its workspace. A deleted
 * session keeps its row, because its ID can be revived and `seq` never restarts.
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
    /**
     * True while the current agent is external: messages are forwarded, and no step starts. The current agent is the
     * session's own agent or, after a handoff, `handedTo`. An agent's type never changes.
     */
    external: boolean('external').notNull().default(false),
    title: text('title').notNull().default(''),
    status: text('status').$type<SessionStatus>().notNull().default('idle'),
    /** Why the last turn failed, and when it will be retried. */
    error: jsonb('error').$type<TurnError>(),
    retryAt: at('retry_at'),
    /** For lists: the last line of the latest answer, at most 160 characters. */
    snippet: text('snippet').notNull().default(''),
    /** Its own policy for out-of-band messages. Missing fields are inherited from the agent or the workspace. */
    oobPolicy: jsonb('oob_policy').$type<OwnOobPolicy>().notNull().default({}),
    /** The agent's revision that it runs on. Below zero: a snapshot. Null: the currently published one. */
    pinnedRevision: integer('pinned_revision'),
    /** In no list, and deleted after seven days without activity. */
    trial: boolean('trial').notNull().default(false),
    /** Changes that its turns apply to a copy of that revision. Null: none. They never change the agent (002-8). */
    overlay: jsonb('overlay').$type<AgentOverlay>(),
    /**
     * The current agent after a handoff to another agent (003-11), and the newest handoff. `pinnedRevision` and
     * `overlay` belong to the session's own agent and do not apply meanwhile.
     */
    handedTo: text('handed_to'),
    handed: jsonb('handed').$type<HandOff>(),
    /**
     * For a sub-agent's session: the parent session, its generation, and the call that this session works for
     * (001-16).
     */
    parentKey: bigint('parent_key', { mode: 'number' }),
    parentGeneration: integer('parent_generation'),
    parentCallId: text('parent_call_id'),
    /**
     * The topmost session, and the number of levels below it. The topmost session's spending includes this
     * session's.
     */
    rootKey: bigint('root_key', { mode: 'number' }),
    depth: integer('depth').notNull().default(0),
    /** True while it still has to report a result to its parent. */
    reports: boolean('reports').notNull().default(false),
    clientTools: jsonb('client_tools').$type<DeclaredTool[]>().notNull().default([]),
    /** The start of the context window: `summary` replaces the context entries before this position. */
    contextStart: bigint('context_start', { mode: 'number' }).notNull().default(0),
    /**
     * The tokens in the context window after its start. Updated with each entry, so that no step has to add them
     * up.
     */
    contextTokens: integer('context_tokens').notNull().default(0),
    /** In the prompt, out-of-band messages up to this context entry are shortened to one line each. */
    oobStart: bigint('oob_start', { mode: 'number' }).notNull().default(0),
    summary: text('summary').notNull().default(''),
    /**
     * The number of removals from the context. A worker with the context window in memory reads it again after a
     * change.
     */
    contextCuts: integer('context_cuts').notNull().default(0),
    /** The status line of the external agent, and until when it is shown. Null: none. */
    agentStatus: text('agent_status'),
    agentStatusUntil: at('agent_status_until'),
    /** The session that this one was copied from, and the last copied message. */
    branchedFrom: text('branched_from'),
    branchedAt: text('branched_at'),
    /**
     * Events up to this `seq` were deleted: they belong to an earlier generation or are past the retention period.
     */
    floor: bigint('floor', { mode: 'number' }).notNull().default(0),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    activeAt: at('active_at').notNull().defaultNow(),
    deletedAt: at('deleted_at'),
    /** Equals `deletedAt` if the session was deleted by retention. Any other value has no meaning. */
    expiredAt: at('expired_at')
  },
  table => [
    unique('sessions_workspace_id').on(table.workspaceId, table.id),
    // The list scans this index backwards. With `.desc()`, NULLs would be sorted differently than in our queries,
    // which could then not use the index.
    index('sessions_by_activity')
      .on(table.workspaceId, table.activeAt, table.key)
      .where(sql`deleted_at is null`),
    uniqueIndex('sessions_by_parent')
      .on(table.parentKey, table.parentGeneration, table.parentCallId)
      .where(sql`parent_key is not null`),
    index('sessions_by_root').on(table.rootKey).where(sql`root_key is not null`),
    index('sessions_reporting').on(table.key).where(sql`reports`),
    index('sessions_of_trials')
      .on(table.workspaceId, table.agentId, table.pinnedRevision)
      .where(sql`trial or pinned_revision < 0`),
    index('sessions_by_subject').on(table.workspaceId, table.subject).where(sql`subject is not null`)
  ]
)

/**
 * The narrow row that every write to a session locks (docs/concepts/engine.md#head). `seq` is the newest event.
 * `epoch` fences workers: every write of a turn checks it in its own transaction. `owner` is the worker that runs
 * the session, and `has_work` is positive if there is work to do. No index covers `seq`, so that an append is a HOT
 * update.
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

/**
 * One row for each process that runs turns. It sends a heartbeat once a second. Liveness belongs to the worker, not
 * to the session.
 */
export const workers = pgTable('workers', {
  id: text('id').primaryKey(),
  host: text('host').notNull(),
  /** The worker's pool of job workers. Their locks are released when the worker dies. */
  poolId: text('pool_id'),
  /** The Postgres backend of the connection that sent the last heartbeat. It ends when the worker does. */
  backend: integer('backend'),
  startedAt: at('started_at').notNull().defaultNow(),
  heartbeatAt: at('heartbeat_at').notNull().defaultNow()
})
