import { log } from './log.ts'

/**
 * Runs `work` every `ms` milliseconds, never twice at once. Errors are logged, and the next interval retries. Pass the
 * result to `clearInterval` to stop.
 */
export function every(ms: number, work: () => Promise<void>): NodeJS.Timeout {
  let busy = false
  return setInterval(async () => {
    if (busy) return
    busy = true
    await work().catch(error =>
      log('warn', 'A worker could not reach the database and will retry.', { error })
    )
    busy = false
  }, ms)
}
