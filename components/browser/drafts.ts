import { useSyncExternalStore } from 'react'
import { createObservers } from './observers.ts'
import { browserStorage } from './storage.ts'

const drafts = new Map<string, unknown>()
const keyOf = (sessionId: string, id: string) => `draft:${sessionId}:${id}`

/**
 * All drafts share one listener, because each message of a transcript can have a draft. While no draft is shown, other
 * tabs can change them unnoticed, so they are read again afterwards.
 */
const { subscribe, announce } = createObservers(() => {
  addEventListener('storage', updateFromOtherTab)
  return () => {
    removeEventListener('storage', updateFromOtherTab)
    drafts.clear()
  }
})

function updateFromOtherTab(event: StorageEvent): void {
  const key = [...drafts.keys()].find(key => event.key?.endsWith(key))
  if (key === undefined) return
  drafts.delete(key)
  announce()
}

/** Stores a draft, or deletes it if `value` is undefined. All components that show the draft are updated. */
export function writeDraft(sessionId: string, id: string, value: unknown): void {
  const key = keyOf(sessionId, id)
  drafts.set(key, value)
  if (value === undefined) browserStorage().remove(key)
  else browserStorage().set(key, value)
  announce()
}

/** Returns the current draft, without updates. */
export function readDraft<T>(sessionId: string, id: string): T | undefined {
  const key = keyOf(sessionId, id)
  if (!drafts.has(key)) drafts.set(key, browserStorage().get(key))
  return drafts.get(key) as T | undefined
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
  const get = () => readDraft<T>(sessionId, id)
  const draft = useSyncExternalStore(subscribe, get, () => undefined) ?? empty
  const write = (change: Partial<T>) => writeDraft(sessionId, id, { ...empty, ...get(), ...change })
  return [draft, write]
}
