import { useEffect, useState } from 'react'

/** The second tap of a double tap comes within this many ms of the first. */
const moment = 600

/**
 * Returns true for a moment after `what` changed. Ignore the pointer during that time, because the second tap
 * of a double tap is meant for the element that was there before.
 */
export function useJustChanged(what: string): boolean {
  const [settled, setSettled] = useState(what)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(what), moment)
    return () => clearTimeout(timer)
  }, [what])
  return settled !== what
}
