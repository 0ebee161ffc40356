import { setTimeout as pause } from 'node:timers/promises'
import { every } from '@waystation/base/every.ts'
import { log, withOwnFields } from '@waystation/base/log.ts'
import type { Pool } from '#db/client.ts'
import { retryLostRaces } from '#db/transaction.ts'
import { WindowCache } from '#lib/engine/context/window-cache.ts'
import { BatchWriter } from '#lib/engine/log/batch-writer.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import { type Lease, LeaseLost } from '#lib/engine/log/session-lock.ts'
import { ReturnToQueue } from '#lib/infra/queue/return-to-queue.ts'
import type { Ctx, Ports } from '#lib/kernel/ctx.ts'
import { defaultTiming, type Timing } from '#lib/kernel/timing.ts'
import { advance } from './advance.ts'
import {
  claimHead,
  deadAfterSeconds,
  type Owned,
  reap,
  register,
  releaseBroken,
  resign,
  sendHeartbeat
} from './lease.ts'
import { requeueRunnable } from './requeue-runnable.ts'
import type { TurnControl, TurnHost } from './worker-context.ts'

/**
 * The newest `heads.format` that this version can advance. Older workers do not take newer sessions
 * (docs/concepts/engine.md#processes).
 */
export const format = 1

/** Time limit of a heartbeat, in milliseconds: the time until this worker is dead. */
const heartbeatTimeoutMs = deadAfterSeconds * 1000

type Running = { lease: Lease; control: TurnControl; done: Promise<void> }

/**
 * Advances sessions in this process: takes them when a wake job runs, and runs their turns in parallel. It
 * sends a heartbeat every second, frees the sessions of dead workers twice a second, and hands over all
 * sessions when it stops. The head's owner and epoch serialize the work on a session, not this object.
 */
export class Runner {
  readonly writer: BatchWriter
  readonly #ctx: Ctx & { sql: Pool }
  readonly #livePool: Pool
  readonly #host: TurnHost
  readonly #pubsub: PubSub
  readonly #slots: number
  readonly #timing: Timing
  readonly #running = new Map<number, Running>()
  readonly #windows = new WindowCache()
  #workerId = ''
  /** Sessions that this worker owned at the last heartbeat without running them, with their epochs. */
  #strayLeases = new Map<number, number>()
  #poolId: string | null = null
  #stopping = false
  #timers: NodeJS.Timeout[] = []
  #lastHeartbeat = performance.now()

  /** `live` is the pool for chunks and heartbeats, if they have one of their own. */
  constructor(
    ctx: Ctx & { sql: Pool },
    pubsub: PubSub,
    host: TurnHost,
    { slots = 200, live = ctx.sql, pace = defaultTiming } = {}
  ) {
    this.#ctx = ctx
    this.#livePool = live
    this.#pubsub = pubsub
    this.#host = host
    this.#slots = slots
    this.#timing = pace
    this.writer = new BatchWriter(live, ctx.ports.notify)
  }

  async start(): Promise<void> {
    this.#workerId = await register(this.#ctx.sql)
    this.#timers = [
      every(this.#timing.heartbeatMs, () => this.#sendHeartbeat()),
      every(this.#timing.reapMs, async () => {
        const freed = await reap(this.#livePool, this.#workerId)
        if (freed > 0)
          log('warn', 'Another worker stopped sending heartbeats. Its sessions continue on other workers.', {
            sessions: freed
          })
      })
    ]
  }

  /** Sets the job pool of this process, so that its jobs are unlocked together with its sessions if it dies. */
  async setJobPool(poolId: string): Promise<void> {
    this.#poolId = poolId
    await this.#ctx.sql`update workers set pool_id = ${poolId} where id = ${this.#workerId}`
  }

  /** Tells whether this process must not take more sessions, because it is stopping or has no free slot. */
  isFull = (): boolean => this.#stopping || this.#running.size >= this.#slots

  /**
   * Runs the wake job: takes the session and returns while its turn runs on. Throws if the database fails, so
   * the job is retried, and while this process stops, so another process gets the job. Only the head decides
   * whether a session is free, because a lease that was just released can still be unwinding here.
   */
  async wake(sessionKey: number): Promise<void> {
    // A completed job is deleted, so this puts it back for another process.
    if (this.#stopping) throw new ReturnToQueue('This worker is stopping. Another worker takes the wake-up.')
    try {
      const claim = await retryLostRaces(() => claimHead(this.#ctx, sessionKey, this.#workerId, format))
      if (claim !== undefined) this.#startRunning(claim)
    } catch (error) {
      log('warn', 'A wake-up failed. Its job is retried.', { sessionKey, error })
      throw error
    }
  }

  /**
   * Takes a session inside the transaction that puts an item, which saves a job and a second transaction. If this
   * process dies before it starts the turn, the reaper frees the session.
   */
  claimInTransaction: NonNullable<Ports['claim']> = (tx, { sessionKey, epoch, format: sessionFormat }) => {
    if (this.isFull() || sessionFormat > format) return undefined
    const claim = { sessionKey, epoch: epoch + 1, workerId: this.#workerId }
    tx.afterCommit(() => this.#startRunning(claim))
    return this.#workerId
  }

  #startRunning(claim: Lease): void {
    // This process can have started to stop meanwhile, or have been declared dead and registered again under
    // a new ID.
    if (this.#stopping || claim.workerId !== this.#workerId) return void releaseBroken(this.#ctx, claim)
    // The same lease: Postgres crashed and lost the first take, so the session was taken again. The current
    // run continues.
    const current = this.#running.get(claim.sessionKey)
    if (current?.lease.epoch === claim.epoch) return
    // A new generation of the session, or a lease whose loss has not been noticed yet.
    if (current !== undefined) abort(current.control, 'lost')
    const control: TurnControl = { stop: new AbortController(), tools: new Set() }
    const running: Running = { lease: claim, control, done: Promise.resolve() }
    this.#running.set(claim.sessionKey, running)
    // The turn can start inside a client's request, and runs longer than it.
    const run = () => this.#run(running)
    running.done = withOwnFields({ sessionKey: claim.sessionKey }, run).finally(() => {
      if (this.#running.get(claim.sessionKey) === running) this.#running.delete(claim.sessionKey)
    })
  }

  /** Stops a turn of this process. A request, a heartbeat or an append has reported the cancel. */
  cancel(sessionKey: number, turnId: string): void {
    const control = this.#running.get(sessionKey)?.control
    if (control?.turnId === turnId) control.stop.abort('cancelled')
  }

  /**
   * Stops the worker: takes no more sessions, waits up to `stopGraceMs` for running tools, and hands over all
   * sessions in one statement. It waits because the outcome of an aborted tool is unknown. Model calls are
   * cut off, and the next owner repeats them.
   */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const { control } of this.#running.values())
      if (control.tools.size === 0) abort(control, 'hand-over')
    const deadline = Date.now() + this.#timing.stopGraceMs
    while (Date.now() < deadline && [...this.#running.values()].some(({ control }) => control.tools.size > 0))
      await sleep()
    this.#dropAll('hand-over')
    for (const timer of this.#timers) clearInterval(timer)
    await resign(this.#ctx.sql, this.#workerId)
    await Promise.race([Promise.allSettled([...this.#running.values()].map(({ done }) => done)), sleep(1000)])
  }

  #dropAll(reason: NonNullable<TurnControl['endedBy']>): void {
    for (const { control } of this.#running.values()) abort(control, reason)
  }

  async #run({ lease, control }: Running): Promise<void> {
    try {
      await advance({
        ctx: this.#ctx,
        pubsub: this.#pubsub,
        writer: this.writer,
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
      this.writer.drop(lease)
    }
  }

  async #sendHeartbeat(): Promise<void> {
    // A worker that has sent no heartbeat for this long, by its own clock, must not continue.
    const wasSilent = performance.now() - this.#lastHeartbeat > deadAfterSeconds * 1000
    if (wasSilent) this.#dropAll('lost')
    // A heartbeat on a dead connection could wait for minutes. The next one uses another connection.
    const heartbeat = await Promise.race([
      sendHeartbeat(this.#livePool, this.#workerId),
      pause(heartbeatTimeoutMs, 'late' as const, { ref: false })
    ])
    if (heartbeat === 'late') throw new Error(`A heartbeat took longer than ${heartbeatTimeoutMs / 1000} s.`)
    const { alive, owned } = heartbeat
    this.#lastHeartbeat = performance.now()
    if (alive && !wasSilent) return this.#reconcile(owned)
    log(
      'error',
      'The worker did not send its heartbeat in time. It dropped its turns and registers again with a new ID.'
    )
    this.#dropAll('lost')
    this.#running.clear()
    // A stopping worker sends heartbeats while its tools finish, but does not register again.
    if (this.#stopping) return
    if (alive) await resign(this.#ctx.sql, this.#workerId)
    this.#workerId = await register(this.#ctx.sql, this.#poolId)
    // Wake jobs that ran in this process meanwhile took nothing, because it had no valid ID.
    await requeueRunnable(this.#ctx)
  }

  /**
   * Compares the sessions that this worker owns in the database with those it is running. If the response to
   * a commit was lost, the worker owns a session without knowing it. No other worker would take that session
   * while this one is alive, so it is released after two heartbeats.
   */
  async #reconcile(owned: readonly Owned[]): Promise<void> {
    const strayLeases = new Map<number, number>()
    for (const { sessionKey, epoch, cancelRequested } of owned) {
      if (cancelRequested !== null) this.cancel(sessionKey, cancelRequested)
      if (this.#running.get(sessionKey)?.lease.epoch === epoch) continue
      // Not awaited, because another transaction can hold the head, and a delayed heartbeat would make this
      // worker dead.
      if (this.#strayLeases.get(sessionKey) === epoch)
        void releaseBroken(this.#ctx, { sessionKey, epoch, workerId: this.#workerId })
      else strayLeases.set(sessionKey, epoch)
    }
    this.#strayLeases = strayLeases
  }
}

function abort(control: TurnControl, reason: NonNullable<TurnControl['endedBy']>): void {
  control.endedBy = reason
  control.stop.abort(reason)
}

const sleep = (ms = 20) => new Promise<void>(resolve => setTimeout(resolve, ms).unref())
