'use client'
import { useSyncExternalStore } from 'react'
import { createObservers } from './observers.ts'

const { subscribe, announce } = createObservers()

let known: MediaQueryList | undefined
/** Returns the query that all rows share, with one listener. It is created on first use, in a browser. */
const none = () => {
  if (known === undefined) {
    known = matchMedia('(hover: none)')
    known.addEventListener('change', announce)
  }
  return known
}

/** Returns true if the user's pointer can hover. On the server, it is true. */
export const useHovers = () =>
  useSyncExternalStore(
    subscribe,
    () => !none().matches,
    () => true
  )
