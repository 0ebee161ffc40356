import { EventEmitter } from 'node:events'
import { Logger, run, type Task, type TaskList, type WorkerEvents } from 'graphile-worker'
import { every } from '#lib/kernel/every.ts'
import { log, withFields } from '#lib/kernel/log.ts'
import { defaultTiming, type Timing } from '#lib/kernel/timing.ts'
import { addMinuteJobs, lookMs } from './by-the-minute.ts'
import { type JobName, type Jobs, wakeFlag } from './enqueue.ts'
import { lastingPool } from './lasting-pool.ts'
import { PutBack } from './put-back.ts'

export type JobHandlers = { [Name in JobName]: (payload: Jobs[Name]) => Promise<void> }
/** Jobs by the clock: what to do every minute. */
export type MinuteHandlers = Record<string, () => Promise<void>>

/**
 * The tasks of a worker, and which flags it takes no jobs of. graphile-worker keeps the options of each worker for ever, so what
 * these can reach is let go with `drop`. Each line that a job writes names the job and what it is about: its payload holds IDs
 * and nothing else.
 */
function droppable(tasks: TaskList, full: () => boolean) {
  let held: { tasks: TaskList; full: () => boolean } | undefined = { tasks, full }
  const run = (job: string): Task => {
    return (payload, helpers) =>
      withFields({ job, ...(payload as Record<string, unknown>) }, () => held?.tasks[job]?.(payload, helpers))
  }
  return {
    taskList: Object.fromEntries(Object.keys(tasks).map(job => [job, run(job)])) as TaskList,
    forbiddenFlags: () => (held?.full() ? [wakeFlag] : []),
    drop() {
      held = undefined
    }
  }
}

const logger = new Logger(() => (level, message, meta) => {
  if (level !== 'error' && level !== 'warning') return
  const written = meta?.error instanceof PutBack ? 'info' : level === 'error' ? 'error' : 'warn'
  log(written, message, { meta: meta?.error ? String(meta.error) : undefined })
})

/**
 * Takes jobs until stopped, `jobsAtOnce` of them at once. `full()` is asked before each fetch: while it says true this process takes no wakes.
 * Its own small pool: a fetching job never waits for a busy session's queries. `open`: for tests.
 */
export async function startWorker(
  url: string,
  handlers: JobHandlers,
  everyMinute: MinuteHandlers,
  full: () => boolean,
  { jobsAtOnce }: Pick<Timing, 'jobsAtOnce'> = defaultTiming,
  open: typeof lastingPool = lastingPool
): Promise<{ poolId: string; stop(): Promise<void> }> {
  const tasks = { ...handlers, ...everyMinute } as unknown as TaskList
  const { taskList, forbiddenFlags, drop } = droppable(tasks, full)
  const pool = open({ connectionString: url, max: jobsAtOnce, application_name: 'waystation-jobs' })
  // When the database goes, all of them break, each more than once.
  let toldAt = Number.NEGATIVE_INFINITY
  const broke = (error: Error) => {
    if (performance.now() - toldAt < 10_000) return
    toldAt = performance.now()
    log('warn', 'A database connection for jobs was lost. The pool opens new connections.', { error })
  }
  pool.on('error', broke)
  pool.on('connect', client => client.on('error', broke))
  const events = new EventEmitter() as WorkerEvents
  const created = new Promise<string>(resolve =>
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id))
  )
  const runner = await run({
    events,
    pgPool: pool,
    concurrency: jobsAtOnce,
    pollInterval: 250,
    noHandleSignals: true,
    forbiddenFlags,
    taskList,
    parsedCronItems: [],
    logger
  })
  const minutely = Object.keys(everyMinute)
  const addNext = () => addMinuteJobs(pool, minutely)
  await addNext()
  const adding = every(lookMs, addNext)
  return {
    poolId: await created,
    async stop() {
      clearInterval(adding)
      await runner.stop()
      await pool.end()
      drop()
    }
  }
}
