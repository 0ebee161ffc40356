/** The CPU time that this thread has taken, in milliseconds. It does not grow while other processes have the core. */
const taken = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The CPU time that a piece of work takes on this thread, in milliseconds. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = taken()
  await work()
  return taken() - before
}

/**
 * The longest stretch of CPU time, in milliseconds, that this thread computed without a pause for timers during a piece
 * of work: everything else in the process waits that long.
 */
export async function longestStretchOf(work: () => unknown): Promise<number> {
  let longest = 0
  let last = taken()
  const look = () => {
    const now = taken()
    longest = Math.max(longest, now - last)
    last = now
  }
  const looks = setInterval(look, 1)
  try {
    await work()
  } finally {
    clearInterval(looks)
  }
  look()
  return longest
}
