import { useEffect, useState } from 'react'
import { browserStorage } from '#components/browser/storage.ts'

type Unsaved<Values> = {
  /** The name of the form, unique in this browser. */
  id: string
  saved: unknown
  values: Values
  isChanged: boolean
  restore: (values: Values) => void
}

/**
 * Keeps the unsaved values of a form in this browser until the user saves or discards them, so that no way of leaving
 * the page loses them. Returns true if these values are from an earlier visit. Values are dropped if the saved ones have
 * changed since.
 */
export function useUnsaved<Values>({ id, saved, values, isChanged, restore }: Unsaved<Values>): boolean {
  const key = `unsaved:${id}`
  const base = JSON.stringify(saved)
  const text = JSON.stringify(values)
  const [state, setState] = useState<'unread' | 'new' | 'restored'>('unread')
  // Restored values appear after hydration, because the server does not have them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later values are not restored
  useEffect(() => {
    const stored = browserStorage().get<{ base: string; text: string }>(key)
    const isCurrent = stored?.base === base
    if (isCurrent) restore(JSON.parse(stored.text))
    setState(isCurrent ? 'restored' : 'new')
  }, [])
  useEffect(() => {
    if (state === 'unread') return
    if (isChanged) return browserStorage().set(key, { base, text })
    browserStorage().remove(key)
    setState('new')
  }, [state, key, base, text, isChanged])
  return state === 'restored'
}
