/**
 * Polling intervals and timeouts in milliseconds, and the number of parallel jobs. They are not settings for operators,
 * because other guarantees depend on them. Tests use shorter ones.
 */
export type Timing = {
  /** How often a stream checks its reader's access. Access must end within 5 s. */
  accessCheckMs: number
  /** How often followed sessions are read from the log, in case a notification was lost. */
  tailPollMs: number
  /** How often a worker writes its heartbeat. Other workers consider it dead after `deadAfterSeconds`. */
  heartbeatMs: number
  /** How often a worker looks for dead workers. */
  reapMs: number
  /** How long running tools can continue when a process stops. */
  stopGraceMs: number
  /** How many jobs a process runs in parallel. Each uses a database connection. */
  jobsAtOnce: number
  /**
   * How often each of these looks for a job that became due. A new job wakes them at once. These queries are most of
   * the work of an idle server: every 250 ms, they allocate 1 MB a second and need 3 % of a core.
   */
  jobPollMs: number
}

/** The values in production. */
export const defaultTiming: Timing = {
  accessCheckMs: 4_000,
  tailPollMs: 1_000,
  heartbeatMs: 1_000,
  reapMs: 500,
  stopGraceMs: 3_000,
  jobsAtOnce: 12,
  jobPollMs: 500
}
