'use client'
import { useSyncExternalStore } from 'react'

/** A clock that all components with the same step share. */
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
 * Returns the current time in ms, and updates it every `step` ms, at once in all components with the same
 * step. It is undefined on the server and during hydration, because the server does not know the user's time
 * zone.
 */
export function useNow(step = 30_000): number | undefined {
  const { subscribe, read } = clockOf(step)
  return useSyncExternalStore(subscribe, read, () => undefined)
}
