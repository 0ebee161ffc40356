/**
 * How often a process looks for changes that no notification told it of, how long it waits for work to finish (both in
 * milliseconds), and how many jobs it runs at once. They are no settings for operators: other guarantees are built on them. A test gives a world shorter ones.
 */
export type Timing = {
  /** How often a stream checks whether its reader may still read: without access a reader is out within 5 s. */
  accessCheckMs: number
  /** How often the log reads the sessions that are followed, in case a notification was lost. */
  tailPollMs: number
  /** How often a worker writes that it lives. Others take it for dead by `deadAfterSeconds`. */
  heartbeatMs: number
  /** How often a worker looks for dead ones. */
  reapMs: number
  /** How long running tools may go on when a process stops. */
  stopGraceMs: number
  /** How many jobs of the queue a process runs at once. Each has a connection to the database. */
  jobsAtOnce: number
}

export const defaultTiming: Timing = {
  accessCheckMs: 4_000,
  tailPollMs: 1_000,
  heartbeatMs: 1_000,
  reapMs: 500,
  stopGraceMs: 3_000,
  jobsAtOnce: 12
}
