import { EventEmitter } from 'node:events'
import { every } from '@waystation/base/every.ts'
import { log, withFields } from '@waystation/base/log.ts'
import { Logger, run, type Task, type TaskList, type WorkerEvents } from 'graphile-worker'
import { defaultTiming, type Timing } from '#lib/kernel/timing.ts'
import { type JobName, type Jobs, wakeFlag } from './enqueue.ts'
import { addMinuteJobs, lookMs } from './minute-jobs.ts'
import { resilientPool } from './resilient-pool.ts'
import { ReturnToQueue } from './return-to-queue.ts'

/** The handler of each job. */
export type JobHandlers = { [Name in JobName]: (payload: Jobs[Name]) => Promise<void> }
/** The handlers of jobs that run every minute, by job name. */
export type MinuteHandlers = Record<string, () => Promise<void>>

/**
 * Creates the tasks of a worker and its forbidden flags. graphile-worker stores the options of each worker
 * forever, so `drop` releases the memory that they reference. Log lines of a job have the job's name and its
 * payload, which contains only IDs.
 */
function releasableTasks(tasks: TaskList, full: () => boolean) {
  let current: { tasks: TaskList; full: () => boolean } | undefined = { tasks, full }
  const run = (job: string): Task => {
    return (payload, helpers) =>
      withFields({ job, ...(payload as Record<string, unknown>) }, () =>
        current?.tasks[job]?.(payload, helpers)
      )
  }
  return {
    taskList: Object.fromEntries(Object.keys(tasks).map(job => [job, run(job)])) as TaskList,
    forbiddenFlags: () => (current?.full() ? [wakeFlag] : []),
    drop() {
      current = undefined
    }
  }
}

const logger = new Logger(() => (level, message, meta) => {
  if (level !== 'error' && level !== 'warning') return
  const logLevel = meta?.error instanceof ReturnToQueue ? 'info' : level === 'error' ? 'error' : 'warn'
  log(logLevel, message, { meta: meta?.error ? String(meta.error) : undefined })
})

/**
 * Starts a worker that runs up to `jobsAtOnce` jobs at the same time. Before each fetch it calls `full()`:
 * while that returns true, this process takes no wake jobs. The worker has its own small pool, so that fetching
 * a job never waits for the queries of a busy session. `open` is for tests.
 */
export async function startWorker(
  url: string,
  handlers: JobHandlers,
  everyMinute: MinuteHandlers,
  full: () => boolean,
  { jobsAtOnce, jobPollMs }: Pick<Timing, 'jobsAtOnce' | 'jobPollMs'> = defaultTiming,
  open: typeof resilientPool = resilientPool
): Promise<{ poolId: string; stop(): Promise<void> }> {
  const tasks = { ...handlers, ...everyMinute } as unknown as TaskList
  const { taskList, forbiddenFlags, drop } = releasableTasks(tasks, full)
  const pool = open({ connectionString: url, max: jobsAtOnce, application_name: 'waystation-jobs' })
  // If the database stops, all connections fail, each more than once.
  let loggedAt = Number.NEGATIVE_INFINITY
  const logLostConnection = (error: Error) => {
    if (performance.now() - loggedAt < 10_000) return
    loggedAt = performance.now()
    log('warn', 'A database connection for jobs was lost. The pool opens new connections.', { error })
  }
  pool.on('error', logLostConnection)
  pool.on('connect', client => client.on('error', logLostConnection))
  const events = new EventEmitter() as WorkerEvents
  const created = new Promise<string>(resolve =>
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id))
  )
  const runner = await run({
    events,
    pgPool: pool,
    concurrency: jobsAtOnce,
    pollInterval: jobPollMs,
    noHandleSignals: true,
    forbiddenFlags,
    taskList,
    parsedCronItems: [],
    logger
  })
  const minuteJobs = Object.keys(everyMinute)
  const addNext = () => addMinuteJobs(pool, minuteJobs)
  await addNext()
  const timer = every(lookMs, addNext)
  return {
    poolId: await created,
    async stop() {
      clearInterval(timer)
      await runner.stop()
      await pool.end()
      drop()
    }
  }
}
