'use client'
import { useSyncExternalStore } from 'react'

let known: MediaQueryList | undefined
/** One for all rows, made where there is a page; so is what listens to it. */
const none = () => {
  if (known === undefined) {
    known = matchMedia('(hover: none)')
    known.addEventListener('change', () => {
      for (const listener of listeners) listener()
    })
  }
  return known
}
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether there is a pointer that can rest on something without pressing it. */
export const useHovers = () =>
  useSyncExternalStore(
    subscribe,
    () => !none().matches,
    () => true
  )
