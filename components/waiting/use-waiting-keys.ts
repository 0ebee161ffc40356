import { type RefObject, useEffect, useRef } from 'react'
import { useHotkeys } from '#components/browser/hotkeys.ts'
import { focusRow, rowOf, useListKeys } from '#components/browser/use-list-keys.ts'

const target = '[data-waits]'

/**
 * Handles the keyboard in the list: `j` and `k` move between rows, Enter opens the focused row, and Esc closes
 * it and returns to the row. No single-letter key answers a request.
 *
 * If the focused row disappears, for example after an answer, the row in its place gets the focus. The hook
 * checks this when `shown` changes.
 */
export function useWaitingKeys(
  list: RefObject<HTMLOListElement | null>,
  shown: readonly unknown[],
  close: () => void
): void {
  const at = useRef<number>(undefined)
  useListKeys(list, target)
  useHotkeys('List', [
    {
      keys: 'Escape',
      label: 'Close the open request',
      within: list,
      run: () => {
        const here = rowOf(list, document.activeElement)
        if (here < 0) return false
        close()
        focusRow(list, target, here)
      }
    }
  ])
  useEffect(() => {
    const onFocus = (event: FocusEvent) => {
      const here = rowOf(list, event.target)
      at.current = here < 0 ? undefined : here
    }
    const onPointer = (event: PointerEvent) => {
      if (rowOf(list, event.target) < 0) at.current = undefined
    }
    window.addEventListener('focusin', onFocus)
    window.addEventListener('pointerdown', onPointer)
    return () => {
      window.removeEventListener('focusin', onFocus)
      window.removeEventListener('pointerdown', onPointer)
    }
  }, [list])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `shown` triggers the check
  useEffect(() => {
    if (at.current !== undefined && document.activeElement === document.body)
      focusRow(list, target, at.current)
  }, [list, shown])
}
