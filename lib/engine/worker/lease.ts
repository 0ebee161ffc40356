import { hostname } from 'node:os'
import type { Pool, Sql } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { type Lease, LeaseLost, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { log } from '#lib/kernel/log.ts'
import { maxCrashes } from './crashes.ts'

/*
 * The life of a lease: a worker registers, claims a session, renews all its leases with one heartbeat, and releases each when
 * nothing is left to do. The leases of a dead worker are reaped.
 */

/** Seconds without a beat after which a worker counts as dead. Three missed beats and a bit. */
export const deadAfterSeconds = 3.5
/** Where the connection of its last beat is gone as well, as after a crash: one missed beat and a bit. */
const crashedAfterSeconds = 1.5

/** Adds this process to the workers. Liveness is the worker's, not the session's: one beat, whatever it runs. */
export async function register(sql: Pool, poolId: string | null = null): Promise<string> {
  const id = newId('worker')
  await sql`
    insert into workers (id, host, pool_id, heartbeat_at, started_at)
    values (${id}, ${hostname()}, ${poolId}, clock_timestamp(), clock_timestamp())`
  return id
}

/** A session taken by a worker. `claims`: an owner before it left calls claimed and without a result. */
export type Taken = Lease & { claims: boolean }

/** How a session is taken: by the wake job, or inside the transaction that puts something in. */
type How = 'woken' | 'adopted'

/**
 * Takes a session for this worker, if it has work and nobody alive has it: one call of `take_session` (db/migrations), which
 * locks first and judges in a second statement. A bare conditional UPDATE judges a stale row (63 of
 * 4,364 wake-ups were lost that way). A worker that was declared dead meanwhile takes nothing. Undefined: a live owner
 * has it and will look again before it lets go, or there is nothing to do.
 *
 * What a wake takes is not waited for until it is on disk: the model is asked and tools are run only after a commit of
 * their own, and that flush carries this one. If Postgres dies before it, the session is as if it had not been taken;
 * whoever has it next may get the same epoch, which is why a lease is an owner and an epoch.
 */
export async function takeSession(
  ctx: Ctx,
  sessionKey: number,
  workerId: string,
  format: number,
  how: How = 'woken'
): Promise<Taken | undefined> {
  const [taken] = await ctx.sql<{ epoch: number; claims: boolean }[]>`
    select epoch, claims
    from take_session(${sessionKey}, ${workerId}, ${format}, ${deadAfterSeconds}, ${how === 'adopted'})`
  return taken === undefined ? undefined : { sessionKey, epoch: taken.epoch, workerId, claims: taken.claims }
}

/** A session that a worker owns according to the database, and the turn it was asked to stop, if any. */
export type Owned = { sessionKey: number; epoch: number; cancelRequested: string | null }

/** Beats, and hears what this worker owns. `alive: false`: it was declared dead and must drop everything. */
export async function beat(sql: Pool, id: string): Promise<{ alive: boolean; owned: Owned[] }> {
  const [row] = await sql<{ id: string }[]>`
    update workers set heartbeat_at = clock_timestamp(), backend = pg_backend_pid() where id = ${id} returning id`
  if (row === undefined) return { alive: false, owned: [] }
  const owned = await sql<Owned[]>`
    select session_key, epoch, cancel_requested from heads where owner = ${id}`
  return { alive: true, owned }
}

/** Releases a session with nothing left to do, in the transaction that found that. The head is locked. */
export async function release(tx: Ctx, head: LockedSession): Promise<void> {
  await tx.sql`update heads set owner = null, has_work = 0 where session_key = ${head.sessionKey}`
  head.owner = null
}

/** Takes a session away from its owner, dead or alive: nothing that it writes counts any more. The head is locked. */
export async function revoke(tx: Ctx, head: LockedSession): Promise<void> {
  await tx.sql`update heads set owner = null, epoch = epoch + 1 where session_key = ${head.sessionKey}`
  head.owner = null
  head.epoch += 1
}

/** Gives a session back whose turn broke, and rings for it a second later: a live owner is never reaped. */
export async function releaseBroken(ctx: Ctx, lease: Lease): Promise<void> {
  await inTransaction(ctx, async tx => {
    await lockForLease(tx, lease)
    await tx.sql`
      update heads set owner = null, epoch = epoch + 1, has_work = 1 where session_key = ${lease.sessionKey}`
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

/** Gives up everything this worker owns, and its row: at a stop, and before it comes back as a new one. */
export async function resign(sql: Pool, id: string): Promise<void> {
  const giveUp = (skip: boolean) =>
    inTransaction(
      { sql },
      async ({ sql: tx }) => {
        await releaseAll(tx, [id], { skip })
        await tx`delete from workers where id = ${id}`
      },
      { retries: 0 }
    )
  await giveUp(false).catch(error => {
    // Somebody holds a head for longer than we wait: a reaper finds that one by an owner that is no worker any more.
    if ((error as { code?: string }).code !== '55P03') throw error
    return giveUp(true)
  })
}

/**
 * A worker is dead that has not beaten for long, or for less where Postgres says that its connection has ended: when a
 * process crashes, its kernel closes them. What ends everybody's (Postgres recovers, a proxy goes) says nothing: so only who
 * has beaten itself just now judges by that (`by`, its ID).
 *
 * Takes the sessions of dead workers away from them (owner = null, epoch + 1) and rings for each; also those of a worker
 * whose row is gone, which took them while it resigned. Every worker does this twice a second; SKIP LOCKED lets one of
 * them win. Returns how many sessions it freed.
 */
export async function reap(sql: Pool, by?: string): Promise<number> {
  return inTransaction({ sql }, async ({ sql: tx }) => {
    const dead = await tx<{ id: string; poolId: string | null }[]>`
      delete from workers where id in (
        select id from workers where heartbeat_at < clock_timestamp() - make_interval(secs => ${deadAfterSeconds})
          or (heartbeat_at < clock_timestamp() - make_interval(secs => ${crashedAfterSeconds})
            and heartbeat_at > pg_postmaster_start_time() and exists (
              select from workers me
              where me.id = ${by ?? ''} and me.heartbeat_at > clock_timestamp() - make_interval(secs => ${crashedAfterSeconds}))
            and backend is not null and not exists (select from pg_stat_activity where pid = workers.backend))
        for update skip locked)
      returning id, pool_id`
    // A job that a dead process was running would stay locked for hours: graphile cannot know that it died. It may be
    // the very wake of a session that nobody owns yet.
    const pools = dead.flatMap(({ poolId }) => poolId ?? [])
    if (pools.length > 0) await tx`select graphile_worker.force_unlock_workers(${pools}::text[])`
    const gone = await tx<{ id: string }[]>`
      select distinct owner as id from heads where owner is not null and not exists (select from workers where id = owner)`
    if (gone.length === 0) return 0
    return releaseAll(
      tx,
      gone.map(({ id }) => id),
      { skip: true, died: true }
    )
  })
}

/**
 * Gives up everything these workers own, and rings: at a stop in one statement, and for the dead. `skip`: heads that
 * somebody holds are left for the next look. What died together may have been killed by one of them, so from the second
 * death of a turn on they are rung apart: at random within half a second, one, two, four, at most a minute.
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
