import { useEffect, useState } from 'react'

/** A second tap or click comes within so many milliseconds of the first. */
const moment = 600

/**
 * True for a moment after `what` became something else. Whoever taps twice means what was there first, not what came to stand
 * in its place: until then it takes no pointer.
 */
export function useJustChanged(what: string): boolean {
  const [settled, setSettled] = useState(what)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(what), moment)
    return () => clearTimeout(timer)
  }, [what])
  return settled !== what
}
