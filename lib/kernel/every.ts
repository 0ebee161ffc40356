import { log } from '#lib/kernel/log.ts'

/**
 * Runs `work` every so many milliseconds, never twice at once. What it throws is logged and the next round tries again.
 * Clear the result to stop.
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
