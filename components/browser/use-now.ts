import { useSyncExternalStore } from 'react'
import { createObservers } from './observers.ts'

const clocks = new Map<number, ReturnType<typeof createClock>>()

/** Creates a clock that all components with the same step share. It runs while a component uses it. */
function createClock(step: number) {
  let at = 0
  const { subscribe, announce } = createObservers(() => {
    const timer = setInterval(tick, step)
    return () => clearInterval(timer)
  })
  const tick = () => {
    at = Date.now()
    announce()
  }
  const read = () => {
    const now = Date.now()
    if (now - at >= step) at = now
    return at
  }
  return { subscribe, read }
}

/**
 * Returns the current time in ms, and updates it every `step` ms, at once in all components with the same
 * step. It is undefined on the server and during hydration, because the server does not know the user's time
 * zone.
 */
export function useNow(step = 30_000): number | undefined {
  const clock = clocks.get(step) ?? createClock(step)
  clocks.set(step, clock)
  return useSyncExternalStore(clock.subscribe, clock.read, () => undefined)
}
