import type postgres from 'postgres'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { failpoint } from '#lib/kernel/failpoint.ts'
import { addFields } from '#lib/kernel/log.ts'
import { expired, notFound, type Refusal } from '#lib/kernel/refusal.ts'
import type { SessionStatus } from '#lib/protocol/session/event.ts'

/**
 * A session's head with its lock held until the transaction ends. The lock order is always head → calls by ID →
 * inbox → events, and no transaction waits for a second session's lock (docs/concepts/engine.md#transactions). `seq` and the rest are as of the lock: `append`
 * and `scheduleIfRunnable` keep them true while the transaction goes on.
 */
export type LockedSession = {
  sessionKey: number
  sessionId: string
  workspaceId: string
  agentId: string
  /** Bound to an external agent. */
  external: boolean
  status: SessionStatus
  title: string
  seq: number
  generation: number
  epoch: number
  owner: string | null
  /** Of a sub-agent: the session that it works for. */
  parentKey: number | null
  hasWork: number
  turnId: string | null
  cancelRequested: string | null
  /** When it was read, by the database's clock (docs/concepts/engine.md#clock), as the driver gives it. */
  now: string
  /** Its readers are rung once this transaction has committed. */
  rings?: boolean
}

/** What a worker holds of a session it advances: its writes count while the head has this owner and this epoch. */
export type Lease = { sessionKey: number; epoch: number; workerId: string }

/** Somebody else owns the session now; whoever gets this stops and writes nothing more. */
export class LeaseLost extends Error {
  constructor(sessionKey: number) {
    super(`Session ${sessionKey} was taken over by another worker.`)
    this.name = 'LeaseLost'
  }
}

const columns = (ctx: Ctx) => ctx.sql`
  h.session_key, s.id as session_id, s.workspace_id, s.agent_id,
  s.external, s.status, s.title, s.parent_key, h.seq, h.generation, h.epoch, h.owner, h.has_work, h.turn_id,
  h.cancel_requested, clock_timestamp() as now`

/**
 * Locks the head of a session of the caller's workspace. Unknown, deleted or another workspace's: `NOT_FOUND`; past
 * retention: `EXPIRED`. First the lock, then the judgement in a second statement: the first one may have waited, and saw the session as it was before.
 */
export async function lockSession(ctx: Ctx, sessionId: string): Promise<LockedSession> {
  if (!isInReach(ctx, sessionId)) throw notFound('session', sessionId)
  const head = await lockThenRead(
    ctx.sql`
      select from heads where session_key = (
        select key from sessions where workspace_id = ${ctx.workspaceId} and id = ${sessionId}) for update`,
    ctx.sql<LockedSession[]>`
      select ${columns(ctx)} from heads h join sessions s on s.key = h.session_key
      where s.workspace_id = ${ctx.workspaceId} and s.id = ${sessionId} and s.deleted_at is null`
  )
  if (head === undefined) throw await absenceOf(ctx, sessionId)
  if (!isInReach(ctx, sessionId, head.generation)) throw notFound('session', sessionId)
  return head
}

/** Why a session that is not there is not: its retention was over (`EXPIRED`), or nobody is to know (`NOT_FOUND`). */
export async function absenceOf(ctx: Ctx, sessionId: string, what = 'session'): Promise<Refusal> {
  const [gone] = await ctx.sql`
    select from sessions
    where workspace_id = ${ctx.workspaceId} and id = ${sessionId} and expired_at = deleted_at`
  return gone === undefined || !isInReach(ctx, sessionId) ? notFound(what, sessionId) : expired(sessionId)
}

/** A session token finds one life of one session, whatever is asked for (api.md "Who is calling"). */
const isInReach = ({ actor }: Ctx, sessionId: string, generation?: number): boolean =>
  actor.kind !== 'subject' ||
  (actor.sessionId === sessionId && (generation === undefined || actor.generation === generation))

/** Locks a head by its key, for jobs. Gone or deleted: undefined. */
export async function lockSessionByKey(ctx: Ctx, sessionKey: number): Promise<LockedSession | undefined> {
  return lockThenRead(
    ctx.sql`select from heads where session_key = ${sessionKey} for update`,
    ctx.sql<LockedSession[]>`
      select ${columns(ctx)} from heads h join sessions s on s.key = h.session_key
      where h.session_key = ${sessionKey} and s.deleted_at is null`
  )
}

/**
 * Two statements in one trip. `execute` queues a statement when it is called, and one connection runs them in that order:
 * the read begins, with a snapshot of its own, when the lock is there.
 */
async function lockThenRead(
  lock: postgres.PendingQuery<postgres.Row[]>,
  read: postgres.PendingQuery<LockedSession[]>
): Promise<LockedSession | undefined> {
  const [, [head]] = await Promise.all([lock.execute(), read.execute()])
  if (head !== undefined) addFields({ sessionId: head.sessionId, turnId: head.turnId ?? undefined })
  return head
}

/** Locks the head for its owner. Every write of a turn goes through here: an owner or epoch that changed throws LeaseLost. */
export async function lockForLease(ctx: Ctx, lease: Lease): Promise<LockedSession> {
  const head = await lockSessionByKey(ctx, lease.sessionKey)
  if (head === undefined || head.epoch !== lease.epoch || head.owner !== lease.workerId)
    throw new LeaseLost(lease.sessionKey)
  await failpoint('after_lease_check')
  return head
}

/** A session of the caller's workspace, without a lock. Unknown or deleted: `NOT_FOUND`; past retention: `EXPIRED`. */
export async function sessionKeyOf(ctx: Ctx, sessionId: string): Promise<number> {
  const [row] = await ctx.sql<{ key: number; generation: number }[]>`
    select s.key, h.generation from sessions s join heads h on h.session_key = s.key
    where s.workspace_id = ${ctx.workspaceId} and s.id = ${sessionId} and s.deleted_at is null`
  if (row === undefined) throw await absenceOf(ctx, sessionId)
  if (!isInReach(ctx, sessionId, row.generation)) throw notFound('session', sessionId)
  return row.key
}
