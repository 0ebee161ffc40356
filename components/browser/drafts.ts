'use client'
import { useCallback, useSyncExternalStore } from 'react'
import { browserStorage } from './storage.ts'

const listeners = new Map<string, Set<() => void>>()
const drafts = new Map<string, unknown>()
const keyOf = (sessionId: string, id: string) => `draft:${sessionId}:${id}`

function read(key: string): unknown {
  if (!drafts.has(key)) drafts.set(key, browserStorage().get(key))
  return drafts.get(key)
}

function changed(key: string): void {
  for (const listener of listeners.get(key) ?? []) listener()
}

/**
 * Updates drafts that change in other tabs. All drafts share one listener, because each message of a
 * transcript can have a draft.
 */
function hearOtherTabs(): void {
  if (isHeard) return
  isHeard = true
  addEventListener('storage', event => {
    for (const key of event.key === null ? [] : listeners.keys())
      if (event.key?.endsWith(key)) {
        drafts.delete(key)
        changed(key)
      }
  })
}
let isHeard = false

/** Stores a draft, or deletes it if `value` is undefined. All components that show the draft are updated. */
export function writeDraft(sessionId: string, id: string, value: unknown): void {
  const key = keyOf(sessionId, id)
  drafts.set(key, value)
  if (value === undefined) browserStorage().remove(key)
  else browserStorage().set(key, value)
  changed(key)
}

/** Returns the current draft, without updates. */
export function readDraft<T>(sessionId: string, id: string): T | undefined {
  return read(keyOf(sessionId, id)) as T | undefined
}

/**
 * Returns the user's draft, and a function that merges changes into it. `id` is, for example, a call's ID or
 * `composer`. All components and tabs share the draft, and it survives a reload.
 */
export function useDraft<T extends object>(
  sessionId: string,
  id: string,
  empty: T
): [T, (change: Partial<T>) => void] {
  const key = keyOf(sessionId, id)
  const subscribe = useCallback(
    (listener: () => void) => {
      const set = listeners.get(key) ?? new Set()
      listeners.set(key, set.add(listener))
      hearOtherTabs()
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(key) === set) listeners.delete(key)
      }
    },
    [key]
  )
  const draft =
    (useSyncExternalStore(
      subscribe,
      () => read(key),
      () => undefined
    ) as T | undefined) ?? empty
  const write = useCallback(
    (change: Partial<T>) =>
      writeDraft(sessionId, id, { ...empty, ...(read(key) as T | undefined), ...change }),
    [sessionId, id, key, empty]
  )
  return [draft, write]
}
