import { useRef, useState } from 'react'

/**
 * Runs an action unless it runs already: a double click makes one of what is made. `busy` while it runs, for the button that
 * is out of use meanwhile.
 */
export function useAction(action: () => Promise<unknown>): [run: () => Promise<void>, busy: boolean] {
  const [busy, setBusy] = useState(false)
  // The second click may come before the state has been drawn.
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
