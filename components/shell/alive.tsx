'use client'
import { useEffect } from 'react'
import { aliveEvent } from './alive-event.ts'

/**
 * Once React handles the page's events, sends `aliveEvent` and sets `data-alive` on the document. Scripts and
 * tests wait for it.
 */
export function Alive() {
  useEffect(() => {
    // Wait until React has shown the values stored in this browser, and can handle one event after the other.
    queueMicrotask(() => {
      document.documentElement.dataset.alive = ''
      window.dispatchEvent(new Event(aliveEvent))
    })
  }, [])
  return null
}
