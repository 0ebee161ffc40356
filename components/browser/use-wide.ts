'use client'
import { useSyncExternalStore } from 'react'

/** Returns true if the window is at least `px` wide. On the server, it is true. */
export function useWide(px: number): boolean {
  return useSyncExternalStore(
    changed => {
      const query = matchMedia(`(width >= ${px}px)`)
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => matchMedia(`(width >= ${px}px)`).matches,
    () => true
  )
}
