/**
 * The maximum duration of a stop in milliseconds, after which the process exits. Postgres needs the rest of ten
 * seconds.
 */
const TIMEOUT_MS = 7_500

/**
 * Resolves when the process should stop: on SIGTERM, SIGINT or SIGHUP, or when the script that started it ends. In
 * the last case the IPC channel closes, even if the script was killed.
 *
 * Further signals have no effect. A terminal, npm and the starter forward the same signal, and on a busy machine
 * the copies arrive at different times. The process exits if the stop takes too long.
 */
export function stopSignal(): Promise<void> {
  return new Promise(done => {
    let stopping = false
    const stop = () => {
      if (stopping) return
      stopping = true
      setTimeout(() => process.exit(1), TIMEOUT_MS).unref()
      done()
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
    process.once('disconnect', stop)
  })
}
