/** How long a stop may take before the process ends anyhow. Postgres needs the rest of ten seconds. Milliseconds. */
const PATIENCE = 7_500

/**
 * Resolves when the process shall stop: SIGTERM, SIGINT, SIGHUP, or the script that started us is gone (then our channel to
 * it closes, even when it was killed). Further signals change nothing: a terminal, npm and the starter pass on the same one,
 * and on a busy machine they arrive apart. A stop that takes too long ends the process at once.
 */
export function stopSignal(): Promise<void> {
  return new Promise(done => {
    let stopping = false
    const stop = () => {
      if (stopping) return
      stopping = true
      setTimeout(() => process.exit(1), PATIENCE).unref()
      done()
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
    process.once('disconnect', stop)
  })
}
