'use client'
import { useSyncExternalStore } from 'react'

const query = '(hover: none)'
const subscribe = (listener: () => void) => {
  const list = matchMedia(query)
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}

/** Whether there is a pointer that can rest on something without pressing it. */
export const useHovers = () =>
  useSyncExternalStore(
    subscribe,
    () => !matchMedia(query).matches,
    () => true
  )
