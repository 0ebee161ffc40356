import { useCallback, useRef, useState } from 'react'
import type { SessionLocation } from '#components/session/wording/session-path.ts'

/**
 * Returns the location in the session: from the URL if the page sets it, else from this component's state.
 * `go` keeps its identity.
 */
export function useLocation(
  given: SessionLocation | undefined,
  onLocation: ((location: SessionLocation) => void) | undefined
): [SessionLocation, (location: SessionLocation) => void] {
  const [own, setOwn] = useState<SessionLocation>(given ?? {})
  const told = useRef(onLocation)
  told.current = onLocation
  const go = useCallback((location: SessionLocation) => {
    if (told.current === undefined) setOwn(location)
    else told.current(location)
  }, [])
  return [onLocation === undefined ? own : (given ?? {}), go]
}
