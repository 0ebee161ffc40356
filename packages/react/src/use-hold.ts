import { useEffect } from 'react'
import type { Stores } from './stores.ts'

/** Follows a session while the component is mounted. */
export const useHold = (stores: Stores, sessionId: string): void =>
  useEffect(() => stores.hold(sessionId), [stores, sessionId])
