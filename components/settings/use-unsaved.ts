import { useEffect, useRef, useState } from 'react'
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
  const [isRestored, setRestored] = useState(false)
  const isRead = useRef(false)
  // Restored values appear after hydration, because the server does not have them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts stand for the values
  useEffect(() => {
    const stored = isRead.current ? undefined : browserStorage().get<{ base: string; text: string }>(key)
    isRead.current = true
    if (stored?.base === base && stored.text !== text) {
      restore(JSON.parse(stored.text))
      setRestored(true)
    } else if (isChanged) browserStorage().set(key, { base, text })
    else {
      browserStorage().remove(key)
      setRestored(false)
    }
  }, [key, base, text, isChanged])
  return isRestored
}
