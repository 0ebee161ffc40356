'use client'
import { useSyncExternalStore } from 'react'

let known: MediaQueryList | undefined
/** One for all rows, made where there is a page. */
const none = () => (known ??= matchMedia('(hover: none)'))
const subscribe = (listener: () => void) => {
  const list = none()
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}

/** Whether there is a pointer that can rest on something without pressing it. */
export const useHovers = () =>
  useSyncExternalStore(
    subscribe,
    () => !none().matches,
    () => true
  )
