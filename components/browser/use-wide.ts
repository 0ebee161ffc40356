'use client'
import { useSyncExternalStore } from 'react'

/** True from `px` of width on; on the server true, as on most desks. */
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
