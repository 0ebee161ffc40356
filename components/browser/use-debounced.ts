import { useEffect, useState } from 'react'

/** Returns the value once it has not changed for `ms` milliseconds. Without `ms`, returns it at once. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return ms === 0 ? value : settled
}
