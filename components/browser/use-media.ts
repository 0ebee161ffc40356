'use client'
import { useSyncExternalStore } from 'react'

let known: MediaQueryList | undefined
/** Returns the query that all rows share, with one listener. It is created on first use, in a browser. */
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

/** Returns true if the user's pointer can hover. On the server, it is true. */
export const useHovers = () =>
  useSyncExternalStore(
    subscribe,
    () => !none().matches,
    () => true
  )
