'use client'
import { useEffect, useState } from 'react'
import { createSessionStore, type SessionOptions, type SessionStore } from './session-store.ts'

/** Follows a session while mounted. Set the component's `key` to the session's ID, because the store is created once. */
export function useSessionStore(options: SessionOptions): SessionStore {
  const [store] = useState(() => createSessionStore(options))
  useEffect(() => store.start(), [store])
  return store
}
