import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '#db/client.ts'
import { inTransaction, retryLostRaces } from '#db/transaction.ts'
import { recoverClaims } from '#lib/engine/calls/claim.ts'
import { Windows } from '#lib/engine/context/window-cache.ts'
import { BatchWriter } from '#lib/engine/log/batch-writer.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import { type Lease, LeaseLost, lockForLease } from '#lib/engine/log/session-lock.ts'
import { PutBack } from '#lib/infra/queue/put-back.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { every } from '#lib/kernel/every.ts'
import { log, withOwnFields } from '#lib/kernel/log.ts'
import { defaultTiming, type Timing } from '#lib/kernel/timing.ts'
import { advance } from './advance.ts'
import { crashCount, poisonTurnError } from './crashes.ts'
import {
  beat,
  deadAfterSeconds,
  type Owned,
  reap,
  register,
  releaseBroken,
  resign,
  type Taken,
  takeSession
} from './lease.ts'
import { requeueRunnable } from './requeue-runnable.ts'
import type { TurnControl, TurnHost } from './worker-context.ts'

/** The newest `heads.format` this version can advance: an older worker leaves newer sessions alone (docs/concepts/engine.md#processes). */
export const format = 1

/** What a beat may take, in milliseconds: a slow database is waited for until this worker counts as dead. */
const beatMs = deadAfterSeconds * 1000

type Running = { lease: Lease; control: TurnControl; done: Promise<void> }

/**
 * Advances sessions in this process: takes them when a wake rings, runs their turns side by side, beats once a second,
 * frees dead workers' sessions twice a second, and hands everything over when it stops. Serialisation is the
 * head's (owner and epoch), never this object's.
 */
export class Runner {
  readonly appender: BatchWriter
  readonly #ctx: Ctx & { sql: Pool }
  readonly #live: Pool
  readonly #host: TurnHost
  readonly #bus: PubSub
  readonly #slots: number
  readonly #pace: Timing
  readonly #running = new Map<number, Running>()
  readonly #windows = new Windows()
  #workerId = ''
  /** Sessions that were ours at the last beat and that nobody here was running. */
  #strays = new Map<number, number>()
  #poolId: string | null = null
  #stopping = false
  #timers: NodeJS.Timeout[] = []
  #lastBeat = performance.now()

  /** `live`: the pool for chunks and beats, when these have one of their own. */
  constructor(
    ctx: Ctx & { sql: Pool },
    bus: PubSub,
    host: TurnHost,
    { slots = 200, live = ctx.sql, pace = defaultTiming } = {}
  ) {
    this.#ctx = ctx
    this.#live = live
    this.#bus = bus
    this.#host = host
    this.#slots = slots
    this.#pace = pace
    this.appender = new BatchWriter(live, ctx.ports)
  }

  async start(): Promise<void> {
    this.#workerId = await register(this.#ctx.sql)
    this.#timers = [
      every(this.#pace.heartbeatMs, () => this.#beat()),
      every(this.#pace.reapMs, async () => {
        const freed = await reap(this.#live, this.#workerId)
        if (freed > 0)
          log('warn', 'Another worker stopped sending heartbeats. Its sessions continue on other workers.', {
            sessions: freed
          })
      })
    ]
  }

  /** Which job pool is this process's, so that its jobs are freed with its sessions if it dies. */
  async runsJobsOf(poolId: string): Promise<void> {
    this.#poolId = poolId
    await this.#ctx.sql`update workers set pool_id = ${poolId} where id = ${this.#workerId}`
  }

  /** True while this process must not take more wakes: another one may. */
  full = (): boolean => this.#stopping || this.#running.size >= this.#slots

  /**
   * What the wake job does: takes the session and returns; the turn runs on. It throws when the database failed it, so that
   * the job tries again in some seconds, and while this process stops, so that another one gets the job. Whether the session is
   * free is for its head alone to say: a lease of ours that was just released may still be unwinding here.
   */
  async wake(sessionKey: number): Promise<void> {
    // Put back for another process: a job that is done is gone.
    if (this.#stopping) throw new PutBack('This worker is stopping. Another worker takes the wake-up.')
    try {
      const taken = await retryLostRaces(() => takeSession(this.#ctx, sessionKey, this.#workerId, format))
      if (taken !== undefined) this.#begin(taken)
    } catch (error) {
      log('warn', 'A wake-up failed. Its job is retried.', { sessionKey, error })
      throw error
    }
  }

  /**
   * Takes a session inside the transaction of somebody who puts something in: what would be a job, another process's
   * look and a second transaction is one statement. If this process dies before it has begun, the reaper frees it.
   */
  claimInTransaction = async (tx: Ctx, sessionKey: number): Promise<Lease | undefined> => {
    if (this.full()) return undefined
    const taken = await takeSession(tx, sessionKey, this.#workerId, format, 'adopted')
    if (taken !== undefined) tx.afterCommit(() => this.#begin(taken))
    return taken
  }

  #begin(taken: Taken): void {
    // Meanwhile this process may have begun to stop, or have been declared dead and come back as another worker.
    if (this.#stopping || taken.workerId !== this.#workerId) return void releaseBroken(this.#ctx, taken)
    // The very lease we have: Postgres died and forgot that we had taken it, and we took it again. Who has it goes on.
    const before = this.#running.get(taken.sessionKey)
    if (before?.lease.epoch === taken.epoch) return
    // Another life of the session, or a lease that we do not know yet to be lost.
    if (before !== undefined) abort(before.control, 'lost')
    const control: TurnControl = { stop: new AbortController(), tools: new Set() }
    const running: Running = { lease: taken, control, done: Promise.resolve() }
    this.#running.set(taken.sessionKey, running)
    // It may begin in the request of whoever put something in, and outlives that.
    const run = () => this.#run(running, taken.claims)
    running.done = withOwnFields({ sessionKey: taken.sessionKey }, run).finally(() => {
      if (this.#running.get(taken.sessionKey) === running) this.#running.delete(taken.sessionKey)
    })
  }

  /** Tells a turn of this process to stop: somebody asked for it here, or a beat or an append brought the news. */
  cancel(sessionKey: number, turnId: string): void {
    const control = this.#running.get(sessionKey)?.control
    if (control?.turnId === turnId) control.stop.abort('cancelled')
  }

  /**
   * Stops: takes no more wakes, lets tools that are running finish (at most `stopGraceMs`: an effect cut in the middle is
   * one whose outcome nobody knows), then hands every session over in one statement. Model steps are simply cut:
   * the next owner runs them again.
   */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const { control } of this.#running.values())
      if (control.tools.size === 0) abort(control, 'hand-over')
    const late = Date.now() + this.#pace.stopGraceMs
    while (Date.now() < late && [...this.#running.values()].some(({ control }) => control.tools.size > 0))
      await moment()
    this.#dropAll('hand-over')
    for (const timer of this.#timers) clearInterval(timer)
    await resign(this.#ctx.sql, this.#workerId)
    await Promise.race([
      Promise.allSettled([...this.#running.values()].map(({ done }) => done)),
      moment(1000)
    ])
  }

  #dropAll(why: NonNullable<TurnControl['endedBy']>): void {
    for (const { control } of this.#running.values()) abort(control, why)
  }

  async #run({ lease, control }: Running, claims: boolean): Promise<void> {
    try {
      if (claims)
        await inTransaction(this.#ctx, async tx => {
          const head = await lockForLease(tx, lease)
          const again = poisonTurnError(await crashCount(tx, head.turnId)) === undefined
          await recoverClaims(tx, head, name => again && this.#host.isRepeatable(name))
        })
      await advance({
        ctx: this.#ctx,
        pubsub: this.#bus,
        writer: this.appender,
        windows: this.#windows,
        host: this.#host,
        lease,
        control
      })
    } catch (error) {
      if (error instanceof LeaseLost || control.endedBy !== undefined) return
      log('error', 'A turn failed unexpectedly. The session is released and woken again.', {
        sessionKey: lease.sessionKey,
        error
      })
      await releaseBroken(this.#ctx, lease)
    } finally {
      this.appender.drop(lease)
    }
  }

  async #beat(): Promise<void> {
    // By our own clock: whoever could not say for this long that it lives must not go on as if it did.
    const silent = performance.now() - this.#lastBeat > deadAfterSeconds * 1000
    if (silent) this.#dropAll('lost')
    // On a connection that went silent it would wait for minutes: the next one goes over another.
    const beaten = await Promise.race([
      beat(this.#live, this.#workerId),
      pause(beatMs, 'late' as const, { ref: false })
    ])
    if (beaten === 'late') throw new Error(`A heartbeat took longer than ${beatMs / 1000} s.`)
    const { alive, owned } = beaten
    this.#lastBeat = performance.now()
    if (alive && !silent) return this.#compare(owned)
    log(
      'error',
      'The worker did not send its heartbeat in time. It dropped its turns and registers again with a new ID.'
    )
    this.#dropAll('lost')
    this.#running.clear()
    // Whoever stops beats while its tools finish, but does not come back.
    if (this.#stopping) return
    if (alive) await resign(this.#ctx.sql, this.#workerId)
    this.#workerId = await register(this.#ctx.sql, this.#poolId)
    // Wakes that this process heard meanwhile took nothing: it was nobody.
    await requeueRunnable(this.#ctx)
  }

  /**
   * Holds what the database says we own against what we run. A commit whose reply was lost makes us an owner who does not
   * know it; since we are alive nobody would ever take that session from us. After two beats we let go of it.
   */
  async #compare(owned: readonly Owned[]): Promise<void> {
    const strays = new Map<number, number>()
    for (const { sessionKey, epoch, cancelRequested } of owned) {
      if (cancelRequested !== null) this.cancel(sessionKey, cancelRequested)
      if (this.#running.get(sessionKey)?.lease.epoch === epoch) continue
      // Not waited for: somebody may hold its head, and whoever does not beat is dead.
      if (this.#strays.get(sessionKey) === epoch)
        void releaseBroken(this.#ctx, { sessionKey, epoch, workerId: this.#workerId })
      else strays.set(sessionKey, epoch)
    }
    this.#strays = strays
  }
}

function abort(control: TurnControl, why: NonNullable<TurnControl['endedBy']>): void {
  control.endedBy = why
  control.stop.abort(why)
}

const moment = (ms = 20) => new Promise<void>(resolve => setTimeout(resolve, ms).unref())
