import { useRef, useState } from 'react'

/**
 * Returns a function that runs an action, and `busy`, which is true while it runs. A call while it runs does
 * nothing, so a double click runs the action once.
 */
export function useAction(action: () => Promise<unknown>): [run: () => Promise<void>, busy: boolean] {
  const [busy, setBusy] = useState(false)
  // The second click can arrive before React has rendered the state.
  const running = useRef(false)
  const run = async () => {
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      await action()
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return [run, busy]
}
