/**
 * Returns the CPU time of this thread in milliseconds. It does not include time in which other processes use the
 * core.
 */
const cpuTime = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Returns the CPU time in milliseconds that a task takes on this thread. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = cpuTime()
  await work()
  return cpuTime() - before
}

/**
 * Returns the longest CPU time in milliseconds that this thread computed without a pause for timers during a task.
 * Everything else in the process waits that long.
 */
export async function longestStretchOf(work: () => unknown): Promise<number> {
  let longest = 0
  let last = cpuTime()
  const measure = () => {
    const now = cpuTime()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(measure, 1)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  measure()
  return longest
}
