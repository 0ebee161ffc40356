import { type RefObject, useRef } from 'react'
import { useHotkeys } from '#components/browser/hotkeys.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import type { Row } from '#components/session/transcript/rows/rows.ts'

/** Returns the element of a row, if the list contains it now. */
export const rowElement = (scroller: RefObject<HTMLElement | null>, key: string) =>
  scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)

/** Moves the focus to a row as soon as the list contains it. A row far away is rendered some frames after the scroll. */
export function focusRow(scroller: RefObject<HTMLElement | null>, key: string, frames = 60): void {
  requestAnimationFrame(() => {
    const row = rowElement(scroller, key)
    if (row) row.focus({ preventScroll: true })
    else if (frames > 0) focusRow(scroller, key, frames - 1)
  })
}

/**
 * The keys `j` and `k` move the focus to the next and previous row. Enter opens or closes the focused row.
 * `reveal` scrolls to a row that can be outside the list.
 */
export function useRowKeys(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  reveal: (index: number) => void
): void {
  const { can } = useSessionContext()
  const key = useRef<string | undefined>(undefined)
  const step = (by: 1 | -1) => {
    const from = rows.findIndex(row => row.key === key.current)
    const index =
      from < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, from + by))
    const next = rows[index]?.key
    if (next === undefined) return
    key.current = next
    reveal(index)
    focusRow(scroller, next)
  }
  const toggle = (): boolean => {
    const focused = document.activeElement
    if (!focused?.matches('[data-row]')) return false
    focused.querySelector<HTMLElement>('[data-toggle]')?.click()
    return true
  }
  useHotkeys(
    'Session',
    can.ownsPage
      ? [
          { keys: 'j', label: 'Go to the next row', run: () => step(1) },
          { keys: 'k', label: 'Go to the previous row', run: () => step(-1) },
          { keys: 'Enter', label: 'Open or close the row', run: toggle }
        ]
      : []
  )
}
