import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** Maximum delay, in milliseconds. */
const maxMs = 100
/** Event loop utilization up to which there is no delay, and from which the delay is the maximum. */
const [from, to] = [0.3, 0.8]
/** Period over which the utilization is measured, and the longest time between groups that follow each other, in milliseconds. */
const windowMs = 250

/**
 * Delays the next group of writes, so that a busy process writes larger groups at a lower cost per chunk. The
 * delay grows with the event loop utilization. There is none in an idle process, or if the last group is longer ago
 * than `windowMs`: then the next group only waits until pending I/O is handled.
 */
export class AdaptiveDelay {
  readonly #busy: () => number
  #flushNow: (() => void) | undefined
  #lastGroupAt = -Infinity

  /** `busy` returns the recent utilization of this process, from 0 to 1. */
  constructor(busy = eventLoop()) {
    this.#busy = busy
  }

  /** Resolves after the delay, or after `flush`. */
  wait(): Promise<void> {
    const follows = performance.now() - this.#lastGroupAt < windowMs
    const busy = this.#busy()
    const share = follows ? Math.min(1, Math.max(0, (busy - from) / (to - from))) : 0
    return new Promise(resolve => {
      const finish = () => {
        this.#flushNow = undefined
        this.#lastGroupAt = performance.now()
        resolve()
      }
      if (share * maxMs < 1) return void setImmediate(finish)
      const timer = setTimeout(finish, share * maxMs)
      this.#flushNow = () => {
        clearTimeout(timer)
        setImmediate(finish)
      }
    })
  }

  /** Ends the current delay, because a caller is waiting for the collected chunks. */
  flush(): void {
    this.#flushNow?.()
  }
}

function eventLoop(): () => number {
  let since: EventLoopUtilization = performance.eventLoopUtilization()
  let measuredAt = performance.now()
  let busy = 0
  return () => {
    if (performance.now() - measuredAt >= windowMs) {
      const now = performance.eventLoopUtilization()
      busy = performance.eventLoopUtilization(now, since).utilization
      since = now
      measuredAt = performance.now()
    }
    return busy
  }
}
