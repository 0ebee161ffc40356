'use client'
import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of a box as it is now, in px; 0 before it is on the page. */
export function useWidthOf(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (box.current === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(box.current)
    setWidth(box.current.clientWidth)
    return () => observer.disconnect()
  }, [box])
  return width
}
