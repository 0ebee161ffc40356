import { useEffect, useRef, useState } from 'react'

/**
 * Returns the value, at most `ms` milliseconds old. Other than with `useDebounced`, a value that never stops changing
 * is returned too. Without `ms`, returns it at once.
 */
export function useThrottled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value)
  const latest = useRef(value)
  const isOld = shown !== value
  useEffect(() => {
    latest.current = value
  }, [value])
  useEffect(() => {
    if (!isOld) return
    const timer = setTimeout(() => setShown(() => latest.current), ms)
    return () => clearTimeout(timer)
  }, [isOld, ms])
  return ms === 0 ? value : shown
}
