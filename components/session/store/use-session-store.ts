'use client'
import { useEffect, useState } from 'react'
import { createSessionStore, type SessionOptions, type SessionStore } from './session-store.ts'

/** Follows a session while mounted. Created once, so the component's `key` must be the session's ID. */
export function useSessionStore(options: SessionOptions): SessionStore {
  const [store] = useState(() => createSessionStore(options))
  useEffect(() => store.start(), [store])
  return store
}
