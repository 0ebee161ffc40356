'use client'
import { useEffect } from 'react'
import { aliveEvent } from './alive-event.ts'

/** Sets `data-alive` on the document once React handles its events, so that scripts and tests know when to begin. */
export function Alive() {
  useEffect(() => {
    // After React's own work, which then shows what this browser keeps, and can handle one event after the other.
    queueMicrotask(() => {
      document.documentElement.dataset.alive = ''
      window.dispatchEvent(new Event(aliveEvent))
    })
  }, [])
  return null
}
