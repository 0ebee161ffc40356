'use client'
import { useEffect } from 'react'
import { aliveEvent } from './alive-event.ts'

/** Sets `data-alive` on the document once React handles its events, so that scripts and tests know when to begin. */
export function Alive() {
  useEffect(() => {
    document.documentElement.dataset.alive = ''
    window.dispatchEvent(new Event(aliveEvent))
  }, [])
  return null
}
