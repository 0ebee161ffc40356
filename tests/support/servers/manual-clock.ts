import type { Clock } from '@waystation/plugin-host/clock.ts'

type Wait = { due: number; over: () => void }

/** A clock that stops until a test advances it. */
export class ManualClock implements Clock {
  #now = 0
  readonly #waits = new Set<Wait>()

  now = () => this.#now

  wait(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wait = { due: this.#now + ms, over: () => void (this.#waits.delete(wait) && resolve()) }
    this.#waits.add(wait)
    signal.addEventListener('abort', wait.over, { once: true })
    if (signal.aborted) wait.over()
    return promise
  }

  /** Returns the remaining milliseconds of all waits, shortest first. */
  waits = () => [...this.#waits].map(({ due }) => due - this.#now).sort((a, b) => a - b)

  /** Advances the clock and ends the waits that are then over. */
  advance(ms: number): void {
    this.#now += ms
    for (const wait of [...this.#waits]) if (wait.due <= this.#now) wait.over()
  }
}
