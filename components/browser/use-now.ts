'use client'
import { useSyncExternalStore } from 'react'

/** One clock for all that shows the time to the same step. */
type Clock = { subscribe(changed: () => void): () => void; read(): number }

const clocks = new Map<number, Clock>()

function clockOf(step: number): Clock {
  const known = clocks.get(step)
  if (known !== undefined) return known
  let at = 0
  let timer: ReturnType<typeof setInterval> | undefined
  const listeners = new Set<() => void>()
  const tick = () => {
    at = Date.now()
    for (const listener of listeners) listener()
  }
  const clock: Clock = {
    subscribe(changed) {
      listeners.add(changed)
      timer ??= setInterval(tick, step)
      return () => {
        listeners.delete(changed)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    read() {
      const now = Date.now()
      if (now - at >= step) at = now
      return at
    }
  }
  clocks.set(step, clock)
  return clock
}

/**
 * The time, to the step (ms) that the words need, or undefined on the server and while hydrating: its time zone is
 * not the person's, so no time is written there. Everything on the page with the same step ticks together.
 */
export function useNow(step = 30_000): number | undefined {
  const { subscribe, read } = clockOf(step)
  return useSyncExternalStore(subscribe, read, () => undefined)
}
