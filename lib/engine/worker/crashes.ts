import type { TurnError } from '@waystation/protocol/session/event.ts'

/**
 * Number of consecutive workers that can die during the same step of a turn. A few crashes can be a
 * coincidence. This many mean that the step itself kills its worker, and all other sessions of the process
 * with it. Clean stops, such as deployments, do not count.
 */
export const maxCrashes = 10

/**
 * Error code of a turn that failed for this reason. Nothing starts on its own after it, including queued
 * messages.
 */
export const workerDied = 'WORKER_DIED'

/** Returns the error of a turn that is no longer retried; undefined below the limit. */
export const poisonTurnError = (crashes: number): TurnError | undefined =>
  crashes < maxCrashes
    ? undefined
    : {
        code: workerDied,
        message: `The server crashed ${crashes} times during this step, so the step is no longer retried. Check the server log: a common cause is too little memory.`,
        retryable: false
      }
