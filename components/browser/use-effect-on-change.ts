'use client'
import { useEffect, useRef } from 'react'

/** Calls `tell` whenever `what` has changed since the page was opened. */
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
