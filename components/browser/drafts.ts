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

/** One listener for all drafts: every message of a transcript can have one. */
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

/** Writes a draft; `undefined` forgets it. Every place that shows it shows the change, and a reload keeps it. */
export function writeDraft(sessionId: string, id: string, value: unknown): void {
  const key = keyOf(sessionId, id)
  drafts.set(key, value)
  if (value === undefined) browserStorage().remove(key)
  else browserStorage().set(key, value)
  changed(key)
}

/** A draft as it is now, without following it. */
export function readDraft<T>(sessionId: string, id: string): T | undefined {
  return read(keyOf(sessionId, id)) as T | undefined
}

/**
 * What a person has begun to write about one thing (a call by its ID, the composer): one value, however many places
 * show it, kept across reloads and shared with other tabs. Changes are merged into it.
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
