import { useEffect, useRef, useState } from 'react'
import { throttle } from './throttle.ts'

/**
 * Returns the value, at most `ms` milliseconds old. Other than with `useDebounced`, a value that never stops changing
 * is returned too. Without `ms`, returns it at once.
 */
export function useThrottled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value)
  const throttled = useRef<ReturnType<typeof throttle<T>>>(undefined)
  useEffect(() => {
    const current = throttle<T>(next => setShown(() => next), ms)
    throttled.current = current
    return current.stop
  }, [ms])
  useEffect(() => throttled.current?.put(value), [value])
  return ms === 0 ? value : shown
}
