/** How long a stop may take before the process ends anyhow. */
const PATIENCE = 9_500

/**
 * Resolves when the process shall stop: SIGTERM, SIGINT, or the script that started us is gone (then our channel to
 * it closes, even when it was killed). A second signal, or running out of patience, ends the process at once.
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
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => (stopping ? process.exit(1) : stop()))
    process.once('disconnect', stop)
  })
}
