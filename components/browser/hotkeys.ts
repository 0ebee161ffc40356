'use client'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { browserStorage } from './storage.ts'

/** The action of each key. If an action returns `false`, the browser handles the key. */
export type Keys = Readonly<Record<string, () => unknown>>

const listeners = new Set<() => void>()

/** The setting for single-key shortcuts, stored in this browser. Users can turn them off (WCAG 2.1.4). */
export const singleKeys = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  get: () => browserStorage().get<boolean>('single-keys') ?? true,
  set: (on: boolean) => {
    browserStorage().set('single-keys', on)
    for (const listener of listeners) listener()
  }
}

export const useSingleKeys = () => useSyncExternalStore(singleKeys.subscribe, singleKeys.get, () => true)

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/**
 * Handles the page's shortcuts while `on` is true. A name is a key (`j`, `?`, `Enter`, `Escape`), or `mod+`
 * and a key (⌘ on a Mac, Ctrl elsewhere).
 * - Except for `Escape`, keys without `mod` work only outside fields.
 * - Letters and other single characters work only while single-key shortcuts are turned on.
 * - No shortcut works while a dialog or menu is open. No shortcut approves or declines anything.
 */
export function useHotkeys(keys: Keys, on = true): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    if (!on) return
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return
      const mod = event.metaKey || event.ctrlKey
      const act = current.current[mod ? `mod+${event.key}` : event.key]
      if (act === undefined) return
      if (document.querySelector('[role="dialog"], [role="menu"], [role="alertdialog"]') !== null) return
      if (!mod && isField(event.target) && event.key !== 'Escape') return
      if (!mod && event.key.length === 1 && !singleKeys.get()) return
      if (act() !== false) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [on])
}
