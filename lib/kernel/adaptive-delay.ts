import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** The longest breath, in milliseconds: what a word may come later so that all others can come in time. */
const longest = 100
/** Busy less than `from` of the time: no breath; from `to` on the longest. */
const [from, to] = [0.3, 0.8]
/** Over how much of the past it is judged how busy this process is, in milliseconds. */
const window = 250

/**
 * How long to gather before the next group is written: the busier this process, the longer, and not at all when it has
 * time. What is gathered costs less for a word, so that there is time again. A moment (until what has come is looked
 * through) it always takes.
 */
export class AdaptiveDelay {
  readonly #busy: () => number
  #cut: (() => void) | undefined

  /** `busy`: the share of its time, 0 to 1, that this process was busy lately. */
  constructor(busy = eventLoop()) {
    this.#busy = busy
  }

  /** Resolves when the breath is over, or cut. */
  wait(): Promise<void> {
    const share = Math.min(1, Math.max(0, (this.#busy() - from) / (to - from)))
    return new Promise(resolve => {
      const over = () => {
        this.#cut = undefined
        resolve()
      }
      if (share * longest < 1) return void setImmediate(over)
      const timer = setTimeout(over, share * longest)
      this.#cut = () => {
        clearTimeout(timer)
        setImmediate(over)
      }
    })
  }

  /** Somebody waits for what is gathered. */
  flush(): void {
    this.#cut?.()
  }
}

function eventLoop(): () => number {
  let since: EventLoopUtilization = performance.eventLoopUtilization()
  let judged = performance.now()
  let busy = 0
  return () => {
    if (performance.now() - judged >= window) {
      const now = performance.eventLoopUtilization()
      busy = performance.eventLoopUtilization(now, since).utilization
      since = now
      judged = performance.now()
    }
    return busy
  }
}
