'use client'
import { useEffect, useRef } from 'react'

/** Calls `tell` each time `what` changes, but not on the first render. */
export function useEffectOnChange(what: string, tell: (() => void) | undefined): void {
  const told = useRef(what)
  const latest = useRef(tell)
  latest.current = tell
  useEffect(() => {
    if (told.current === what) return
    told.current = what
    latest.current?.()
  }, [what])
}
