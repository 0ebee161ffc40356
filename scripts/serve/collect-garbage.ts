import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A process that uses less than this share of a core is idle. An idle server needs 2 %. */
const idleShare = 0.1
/** The growth since the last collection that is worth a pause of about 0.2 s. */
const worthwhileGrowth = 1.2
/** V8 frees compiled code only if several collections found it unused. */
const collectionsInARow = 2

/**
 * Collects garbage now, after the start, and whenever the process has grown and was idle for `checkMs`. Collects once
 * more after another idle `checkMs`. Stops with `clearInterval`.
 *
 * A start and a burst of turns need much memory that the process does not need afterwards. V8 returns it to the system
 * only if its own estimate says that the process is idle, which often takes minutes.
 */
export function collectGarbageWhenIdle(checkMs = 10_000): NodeJS.Timeout {
  let rest = collectGarbage()
  let left = collectionsInARow - 1
  let before = process.cpuUsage()
  return setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const isIdle = (user + system) / 1_000 < idleShare * checkMs
    if (process.memoryUsage.rss() > worthwhileGrowth * rest) left = collectionsInARow
    if (!isIdle || left === 0) return
    left--
    rest = collectGarbage()
  }, checkMs)
}

/** Collects garbage, returns the free memory to the system, and returns the bytes that the process still uses. */
function collectGarbage(): number {
  // Node offers V8's function only with a flag, which is set for a moment here.
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  // Other flavors keep the free pages in V8's own pool.
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' })
  return process.memoryUsage.rss()
}
