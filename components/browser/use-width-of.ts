import { type RefObject, useLayoutEffect, useState } from 'react'

/** Returns the current width of an element in px, or 0 before it is mounted. */
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
