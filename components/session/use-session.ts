'use client'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { SessionState } from './session-state.ts'
import { createSessionStore, type SessionOptions, type SessionStore } from './session-store.ts'

/** A session's state, and everything that can be done to it; the functions keep their identity. */
export type UseSession = SessionState & SessionStore & { store: SessionStore }

/** Follows one session while mounted. Give the component a `key` of the session's ID: the store is made once. */
export function useSession(options: SessionOptions): UseSession {
  const [store] = useState(() => createSessionStore(options))
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState)
  useEffect(() => store.start(), [store])
  return { ...state, ...store, store }
}
