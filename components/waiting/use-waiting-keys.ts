'use client'
import { type RefObject, useEffect, useRef } from 'react'
import { singleKeys } from '#components/browser/hotkeys.ts'

/**
 * Handles the keyboard in the list:
 *
 * - `j` and `k` move between rows.
 * - Enter opens the focused row.
 * - Esc closes it and returns to the row.
 *
 * No single-letter key answers a request. If the focused row disappears, for example after an answer, the row
 * in its place gets the focus. The hook checks this when `shown` changes.
 */
export function useWaitingKeys(
  list: RefObject<HTMLOListElement | null>,
  shown: readonly unknown[],
  close: () => void
): void {
  const latest = useRef(close)
  const at = useRef<number>(undefined)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.metaKey || event.ctrlKey || event.altKey)
        return
      if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return
      const here = indexOf(list, document.activeElement)
      if (event.key === 'Escape' && here >= 0) {
        latest.current()
        return go(list, here)
      }
      const step = { j: 1, k: -1 }[event.key]
      if (step === undefined || inField(event.target) || !singleKeys.get()) return
      event.preventDefault()
      go(list, here < 0 ? 0 : here + step)
    }
    const onFocus = ({ target }: FocusEvent) => {
      const here = indexOf(list, target)
      at.current = here < 0 ? undefined : here
    }
    const onPointer = ({ target }: PointerEvent) => {
      if (indexOf(list, target) < 0) at.current = undefined
    }
    window.addEventListener('keydown', onKey)
    window.addEventListener('focusin', onFocus)
    window.addEventListener('pointerdown', onPointer)
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('focusin', onFocus)
      window.removeEventListener('pointerdown', onPointer)
    }
  }, [list])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `shown` triggers the check
  useEffect(() => {
    if (at.current !== undefined && document.activeElement === document.body) go(list, at.current)
  }, [list, shown])
}

type List = RefObject<HTMLOListElement | null>

const rowsOf = (list: List) => [...(list.current?.querySelectorAll<HTMLElement>('[data-waits]') ?? [])]

const indexOf = (list: List, node: EventTarget | null) =>
  rowsOf(list).findIndex(row => node instanceof Node && row.closest('li')?.contains(node))

function go(list: List, index: number): void {
  const rows = rowsOf(list)
  const row = rows[Math.min(Math.max(index, 0), rows.length - 1)]
  row?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}

const inField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
