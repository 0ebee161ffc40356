import { type ApiError, expired, notFound } from '@waystation/base/api-error.ts'
import { addFields } from '@waystation/base/log.ts'
import type { SessionEvent, SessionStatus } from '@waystation/protocol/session/event.ts'
import type { Fragment } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { failpoint } from '#lib/kernel/failpoint.ts'
import type { Unsaved } from './unsaved.ts'

/**
 * A session whose row in `heads` is locked until the transaction ends. The lock order is head, calls by ID,
 * inbox, events. No transaction waits for the lock of a second session
 * (docs/concepts/engine.md#transactions). The fields are read under the lock. `append` and `change` keep them
 * current, and write them once, at the end of the transaction.
 */
export type LockedSession = {
  sessionKey: number
  sessionId: string
  workspaceId: string
  agentId: string
  /** True if the agent that speaks is external: messages are forwarded, and no step starts. */
  external: boolean
  status: SessionStatus
  title: string
  seq: number
  generation: number
  epoch: number
  owner: string | null
  /** Workers of an older version must not take the session (docs/concepts/engine.md#processes). */
  format: number
  /** The parent session of a sub-agent's session. */
  parentKey: number | null
  hasWork: number
  turnId: string | null
  cancelRequested: string | null
  /** Time of the read, by the database's clock (docs/concepts/engine.md#clock), as ISO 8601 text. */
  now: string
  /** The changes that this transaction has not written yet. */
  unsaved: Unsaved | undefined
  /** The events that it has written. Readers get them after the commit. */
  written: SessionEvent[]
}

type SessionRow = Omit<LockedSession, 'unsaved' | 'written'>

/** A worker's right to write to a session. It is valid while the session's head has this owner and this epoch. */
export type Lease = { sessionKey: number; epoch: number; workerId: string }

/** Thrown if another worker owns the session. The receiver must stop and write nothing more. */
export class LeaseLost extends Error {
  constructor(sessionKey: number) {
    super(`Session ${sessionKey} was taken over by another worker.`)
    this.name = 'LeaseLost'
  }
}

/**
 * Locks a session of the caller's workspace. Throws `NOT_FOUND` if the session is unknown, deleted or in
 * another workspace, and `EXPIRED` if its retention period is over.
 */
export async function lockSession(ctx: Ctx, sessionId: string): Promise<LockedSession> {
  if (!isInReach(ctx, sessionId)) throw notFound('session', sessionId)
  const session = await lock(ctx, ctx.sql`s.workspace_id = ${ctx.workspaceId} and s.id = ${sessionId}`)
  if (session === undefined) throw await missingSessionError(ctx, sessionId)
  if (!isInReach(ctx, sessionId, session.generation)) throw notFound('session', sessionId)
  return session
}

/**
 * Returns the error for a missing session: `EXPIRED` if its retention period is over, or else `NOT_FOUND`. A
 * session token for another session always gets `NOT_FOUND`.
 */
export async function missingSessionError(
  ctx: Ctx,
  sessionId: string,
  resource = 'session'
): Promise<ApiError> {
  const [expiredSession] = await ctx.sql`
    select from sessions
    where workspace_id = ${ctx.workspaceId} and id = ${sessionId} and expired_at = deleted_at`
  return expiredSession === undefined || !isInReach(ctx, sessionId)
    ? notFound(resource, sessionId)
    : expired(sessionId)
}

/** A session token reaches only one generation of one session. */
const isInReach = ({ actor }: Ctx, sessionId: string, generation?: number): boolean =>
  actor.kind !== 'subject' ||
  (actor.sessionId === sessionId && (generation === undefined || actor.generation === generation))

/** Locks a session by its key, for jobs. Returns undefined if the session is deleted. */
export const lockSessionByKey = (ctx: Ctx, sessionKey: number): Promise<LockedSession | undefined> =>
  lock(ctx, ctx.sql`h.session_key = ${sessionKey}`)

/**
 * Locks and reads a session. It locks both rows, because a statement that has waited for a row returns its newest version,
 * but old versions of the rows that it does not lock. If this transaction has locked the session before, the read also
 * sees what it changed.
 */
async function lock(ctx: Ctx, which: Fragment): Promise<LockedSession | undefined> {
  const reading = ctx.sql<SessionRow[]>`
    select h.session_key, s.id as session_id, s.workspace_id, s.agent_id,
      s.external, s.status, s.title, s.parent_key, h.seq, h.generation, h.epoch, h.owner, h.format, h.has_work,
      h.turn_id, h.cancel_requested, clock_timestamp() as now
    from heads h join sessions s on s.key = h.session_key
    where ${which} and s.deleted_at is null for no key update of h, s`
  const [, [row]] = await Promise.all([ctx.flush(), reading.execute()])
  if (row === undefined) return undefined
  addFields({ sessionId: row.sessionId, turnId: row.turnId ?? undefined })
  return { ...row, unsaved: undefined, written: [] }
}

/**
 * Locks a session for its owner. Every write of a turn calls this first. Throws `LeaseLost` if the owner or
 * the epoch has changed.
 */
export async function lockForLease(ctx: Ctx, lease: Lease): Promise<LockedSession> {
  const session = await lockSessionByKey(ctx, lease.sessionKey)
  if (session === undefined || session.epoch !== lease.epoch || session.owner !== lease.workerId)
    throw new LeaseLost(lease.sessionKey)
  await failpoint('after_lease_check')
  return session
}

/**
 * Returns the key of a session in the caller's workspace, without a lock. Throws `NOT_FOUND` or `EXPIRED`,
 * like `lockSession`.
 */
export async function sessionKeyOf(ctx: Ctx, sessionId: string): Promise<number> {
  const [row] = await ctx.sql<{ key: number; generation: number }[]>`
    select s.key, h.generation from sessions s join heads h on h.session_key = s.key
    where s.workspace_id = ${ctx.workspaceId} and s.id = ${sessionId} and s.deleted_at is null`
  if (row === undefined) throw await missingSessionError(ctx, sessionId)
  if (!isInReach(ctx, sessionId, row.generation)) throw notFound('session', sessionId)
  return row.key
}
