import type { Thread } from './thread.ts'

/** On a busy machine a thread gets little CPU time: it may take so many times its limit before nobody waits for it any longer. */
export const mostPatience = 10

/**
 * Calls `late` when a thread has computed for `ms`, or has not been done after `patience` times as long. Wall time alone would
 * refuse what is harmless while other processes have the cores. The first half of `ms` is not measured: most questions end in it.
 */
export function watchCpu(
  thread: Thread,
  ms: number,
  late: () => void,
  patience = mostPatience
): { stop: () => void } {
  let from: number | undefined
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    timer = setTimeout(() => {
      thread.once('cpu', hear)
      thread.measure()
    }, ms / 2)
  }
  const hear = (used: number) => {
    from ??= used
    if (used - from >= 0.4 * ms) late()
    else look()
  }
  const last = setTimeout(late, patience * ms)
  look()
  return {
    stop() {
      thread.off('cpu', hear)
      clearTimeout(timer)
      clearTimeout(last)
    }
  }
}
