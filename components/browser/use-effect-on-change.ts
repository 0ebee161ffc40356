import { useEffect, useRef } from 'react'

/** Calls `tell` after each render in which one of the `values` has changed, but not after the first one. */
export function useEffectOnChange(values: readonly unknown[], tell: (() => void) | undefined): void {
  const told = useRef(values)
  useEffect(() => {
    const before = told.current
    told.current = values
    if (values.some((value, at) => !Object.is(value, before[at]))) tell?.()
  })
}
