import { hostname } from 'node:os'
import { newId } from '@waystation/base/ids.ts'
import { log } from '@waystation/base/log.ts'
import type { Pool, Sql } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { change } from '#lib/engine/log/append.ts'
import { type Lease, LeaseLost, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { maxCrashes } from './crashes.ts'

/*
 * The life of a lease: a worker registers, claims a session, renews all its leases with one heartbeat, and releases each when
 * nothing is left to do. The leases of a dead worker are reaped.
 */

/** Seconds without a heartbeat after which a worker is dead: three missed heartbeats and a margin. */
export const deadAfterSeconds = 3.5
/**
 * The same limit if the connection of the last heartbeat has ended too, as after a crash: one missed
 * heartbeat and a margin.
 */
const crashedAfterSeconds = 1.5

/** Registers this process as a worker and returns its ID. A worker sends one heartbeat for all its sessions. */
export async function register(sql: Pool, poolId: string | null = null): Promise<string> {
  const id = newId('worker')
  await sql`
    insert into workers (id, host, pool_id, heartbeat_at, started_at)
    values (${id}, ${hostname()}, ${poolId}, clock_timestamp(), clock_timestamp())`
  return id
}

/**
 * Takes a woken session for this worker, if it has work and no live owner. Returns undefined if it has no work, if
 * a live owner will check it before releasing it, or if this worker was declared dead.
 *
 * `take_session` (db/migrations) locks the head first and checks it in a second statement. A single
 * conditional UPDATE would check the row as it was before the wait for the lock, which lost 63 of 4,364
 * wake-ups.
 *
 * This commit does not wait for the disk. The next commit flushes it, before any model call or tool. If
 * Postgres crashes before that, the next owner can get the same epoch. A lease therefore consists of an owner
 * and an epoch.
 */
export async function claimHead(
  ctx: Ctx,
  sessionKey: number,
  workerId: string,
  format: number
): Promise<Lease | undefined> {
  const [head] = await ctx.sql<{ epoch: number }[]>`
    select epoch from take_session(${sessionKey}, ${workerId}, ${format}, ${deadAfterSeconds}, false)`
  return head === undefined ? undefined : { sessionKey, epoch: head.epoch, workerId }
}

/** A session that a worker owns according to the database, and the turn that it must stop, if any. */
export type Owned = { sessionKey: number; epoch: number; cancelRequested: string | null }

/**
 * Sends a heartbeat and returns the sessions that this worker owns. `alive: false` means that the worker was
 * declared dead and must drop all its turns.
 */
export async function sendHeartbeat(sql: Pool, id: string): Promise<{ alive: boolean; owned: Owned[] }> {
  const [row] = await sql<{ id: string }[]>`
    update workers set heartbeat_at = clock_timestamp(), backend = pg_backend_pid() where id = ${id} returning id`
  if (row === undefined) return { alive: false, owned: [] }
  const owned = await sql<Owned[]>`
    select session_key, epoch, cancel_requested from heads where owner = ${id}`
  return { alive: true, owned }
}

/** Takes a session without an owner, in the transaction that puts an item. Requires the session's lock. */
export const take = (tx: Ctx, session: LockedSession, workerId: string): void =>
  change(tx, session, { owner: workerId, epoch: session.epoch + 1, hasWork: 1 })

/**
 * Releases a session that has nothing left to do, in the transaction that checked this. Requires the
 * session's lock.
 */
export const release = (tx: Ctx, session: LockedSession): void =>
  change(tx, session, { owner: null, hasWork: 0 })

/**
 * Revokes the owner's lease, so its further writes are rejected, whether it is dead or alive. Requires the
 * session's lock.
 */
export const revoke = (tx: Ctx, session: LockedSession): void =>
  change(tx, session, { owner: null, epoch: session.epoch + 1 })

/**
 * Releases a session after its turn failed unexpectedly, and wakes it a second later. The reaper would not do
 * this, because the owner is alive.
 */
export async function releaseBroken(ctx: Ctx, lease: Lease): Promise<void> {
  await inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    revoke(tx, session)
    change(tx, session, { hasWork: 1 })
    await enqueue(tx, 'wake', { sessionKey: lease.sessionKey }, { inSeconds: 1 })
  }).catch(error => {
    if (!(error instanceof LeaseLost))
      log(
        'error',
        'A session could not be released. Another worker can take it only after this worker stops.',
        { error }
      )
  })
}

/**
 * Releases all sessions of a worker and deletes its row: at a clean stop, and before it registers again under
 * a new ID.
 */
export async function resign(sql: Pool, id: string): Promise<void> {
  const releaseAndDelete = (skip: boolean) =>
    inTransaction(
      { sql },
      async ({ sql: tx }) => {
        await releaseAll(tx, [id], { skip })
        await tx`delete from workers where id = ${id}`
      },
      { retries: 0 }
    )
  await releaseAndDelete(false).catch(error => {
    // Another transaction holds a head for too long. A reaper later frees that session, because its owner no
    // longer exists.
    if ((error as { code?: string }).code !== '55P03') throw error
    return releaseAndDelete(true)
  })
}

/**
 * Deletes dead workers, frees their sessions (owner = null, epoch + 1) and wakes each one. Returns the number
 * of freed sessions.
 *
 * A worker is dead after `deadAfterSeconds` without a heartbeat. A shorter time applies if Postgres reports
 * that its connection has ended, as after a crash. A Postgres recovery or a lost proxy ends all connections,
 * so only a reaper with a recent heartbeat (`reaperId`) applies the shorter time.
 *
 * This also frees sessions whose owner has no row, because the owner took them while it resigned. Every
 * worker runs this twice a second, and SKIP LOCKED lets one of them win.
 */
export async function reap(sql: Pool, reaperId?: string): Promise<number> {
  return inTransaction({ sql }, async ({ sql: tx }) => {
    const dead = await tx<{ id: string; poolId: string | null }[]>`
      delete from workers where id in (
        select id from workers where heartbeat_at < clock_timestamp() - make_interval(secs => ${deadAfterSeconds})
          or (heartbeat_at < clock_timestamp() - make_interval(secs => ${crashedAfterSeconds})
            and heartbeat_at > pg_postmaster_start_time() and exists (
              select from workers me
              where me.id = ${reaperId ?? ''} and me.heartbeat_at > clock_timestamp() - make_interval(secs => ${crashedAfterSeconds}))
            and backend is not null and not exists (select from pg_stat_activity where pid = workers.backend))
        for update skip locked)
      returning id, pool_id`
    // Graphile Worker does not notice that a process died and would keep its jobs locked for hours. One of
    // them can be the wake job of a session without an owner.
    const pools = dead.flatMap(({ poolId }) => poolId ?? [])
    if (pools.length > 0) await tx`select graphile_worker.force_unlock_workers(${pools}::text[])`
    const orphanedOwners = await tx<{ id: string }[]>`
      select distinct owner as id from heads where owner is not null and not exists (select from workers where id = owner)`
    if (orphanedOwners.length === 0) return 0
    return releaseAll(
      tx,
      orphanedOwners.map(({ id }) => id),
      { skip: true, died: true }
    )
  })
}

/**
 * Releases all sessions of these workers in one statement and wakes them. `skip` leaves locked heads for the
 * next check.
 *
 * If workers died, one of their sessions can be the cause. From the second crash of a turn on, its session is
 * woken after a random delay. The longest delay is half a second, then one, two and four seconds, up to a
 * minute.
 */
async function releaseAll(
  tx: Sql,
  workerIds: string[],
  { skip, died = false }: { skip: boolean; died?: boolean }
): Promise<number> {
  const freed = await tx<{ key: number }[]>`
    with mine as (
      select session_key from heads where owner = any(${workerIds}) order by session_key
      for update ${skip ? tx`skip locked` : tx``}
    ), freed as (
      update heads h set owner = null, epoch = epoch + 1, has_work = 1 from mine where h.session_key = mine.session_key
      returning h.session_key as key, h.turn_id
    ), crashed as (
      update turns set crashes = crashes + 1 from freed where turns.id = freed.turn_id and ${died}
      returning turns.id, crashes
    )
    select key, case when crashes > 1 and crashes < ${maxCrashes}
      then (graphile_worker.add_job('wake', json_build_object('sessionKey', key), flags := array['wake'],
        run_at := clock_timestamp() + random() * make_interval(secs => least(60, 2 ^ (crashes - 3))))).id
      else coalesce(
        (graphile_worker.add_job('wake', json_build_object('sessionKey', key), job_key := 'wake:' || key, flags := array['wake'])).id,
        (graphile_worker.add_job('wake', json_build_object('sessionKey', key), flags := array['wake'])).id) end as job
    from freed left join crashed on crashed.id = freed.turn_id`
  return freed.length
}
