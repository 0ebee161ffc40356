'use client'
import { useSyncExternalStore } from 'react'

const seen = new Map<number, number>()

/**
 * The time, to the step (ms) that the words need, or undefined on the server and while hydrating: its time zone is
 * not the person's, so no time is written there. Everything on the page with the same step ticks together.
 */
export function useNow(step = 30_000): number | undefined {
  return useSyncExternalStore(
    changed => {
      const timer = setInterval(() => {
        seen.set(step, Date.now())
        changed()
      }, step)
      return () => clearInterval(timer)
    },
    () => {
      const at = seen.get(step) ?? 0
      const now = Date.now()
      if (now - at >= step) seen.set(step, now)
      return seen.get(step)
    },
    () => undefined
  )
}
