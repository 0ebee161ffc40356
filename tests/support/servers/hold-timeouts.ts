import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'
import { ManualClock } from './manual-clock.ts'

/** Shorter timeouts pass in real time, because polling needs them. */
const heldFromMs = 1_000

/** The longest delay of a timer. */
const foreverMs = 2 ** 31 - 1

/** Database drivers and the job queue. Their timeouts pass in real time, because the database's time does. */
const unheld = /node_modules\/(pg|pg-pool|postgres|graphile-worker)\//

/**
 * Returns a clock that decides when the timeouts of this process pass: `setTimeout`, also that of `timers/promises`, and
 * `AbortSignal.timeout`. Call it before the server starts, because it ends with the test.
 */
export function holdTimeouts(): ManualClock {
  const clock = new ManualClock()
  const { setTimeout: start, clearTimeout: clear } = globalThis
  const pause = timers.setTimeout
  /** Cancels a held timeout, by the timer that the caller received. */
  const held = new WeakMap<object, AbortController>()
  const isHeld = (ms = 0) => ms >= heldFromMs && !unheld.test(new Error().stack ?? '')

  const hold = (ms: number, onTimeout: () => void) => {
    const timer = start(() => undefined, foreverMs).unref()
    const canceled = new AbortController()
    held.set(timer, canceled)
    clock.wait(ms, canceled.signal).then(() => {
      if (canceled.signal.aborted) return
      clear(timer)
      onTimeout()
    })
    return timer
  }
  const spies = [
    vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
        isHeld(ms) ? hold(ms as number, () => run(...args)) : start(run, ms, ...args)) as typeof setTimeout),
    vi.spyOn(globalThis, 'clearTimeout').mockImplementation(timer => {
      if (typeof timer === 'object') held.get(timer)?.abort()
      clear(timer)
    }),
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
      const timeout = new AbortController()
      setTimeout(() => timeout.abort(new DOMException('The time is over.', 'TimeoutError')), ms)
      return timeout.signal
    }),
    vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms, value, options) => {
      if (!isHeld(ms)) return pause(ms, value, options)
      const { signal } = options ?? {}
      await clock.wait(ms as number, signal ?? new AbortController().signal)
      signal?.throwIfAborted()
      return value as never
    })
  ]
  syncBuiltinESMExports()
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
    syncBuiltinESMExports()
  })
  return clock
}
