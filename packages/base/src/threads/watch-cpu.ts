import type { Thread } from './thread.ts'

/** On a busy machine a thread gets little CPU time. So its wall-clock limit is this many times its CPU limit. */
export const mostPatience = 10

/**
 * Calls `onLimit` when a thread has used `ms` of CPU time, or after `patience` times as long by the clock. A clock
 * limit alone would reject harmless input while other processes use the cores. The first half of `ms` is not measured,
 * because most calls finish in it.
 */
export function watchCpu(
  thread: Thread,
  ms: number,
  onLimit: () => void,
  patience = mostPatience
): { stop: () => void } {
  let startCpu: number | undefined
  let timer: NodeJS.Timeout | undefined
  const scheduleCheck = () => {
    timer = setTimeout(() => {
      thread.once('cpu', onCpu)
      thread.measure()
    }, ms / 2)
  }
  const onCpu = (used: number) => {
    startCpu ??= used
    if (used - startCpu >= 0.4 * ms) onLimit()
    else scheduleCheck()
  }
  const deadline = setTimeout(onLimit, patience * ms)
  scheduleCheck()
  return {
    stop() {
      thread.off('cpu', onCpu)
      clearTimeout(timer)
      clearTimeout(deadline)
    }
  }
}
