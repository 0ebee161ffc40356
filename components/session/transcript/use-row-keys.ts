'use client'
import { type RefObject, useRef } from 'react'
import { useHotkeys } from '#components/browser/hotkeys.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import type { Row } from '#components/session/transcript/rows/rows.ts'

/**
 * The keys `j` and `k` move the focus to the next and previous row. Enter opens or closes the focused row.
 */
export function useRowKeys(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  reveal: (index: number) => void,
  many: boolean
): void {
  const key = useRef<string | undefined>(undefined)
  const elementOf = (row: string) =>
    scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"]`)

  const step = (by: 1 | -1) => {
    const from = key.current === undefined ? -1 : rows.findIndex(row => row.key === key.current)
    const index =
      from < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, from + by))
    const next = rows[index]?.key
    if (next === undefined) return
    key.current = next
    if (many) reveal(index)
    requestAnimationFrame(() => elementOf(next)?.focus({ preventScroll: false }))
  }
  const toggle = (): boolean => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-row]')
    if (focused == null || focused !== document.activeElement) return false
    focused.querySelector<HTMLElement>('[data-toggle]')?.click()
    return true
  }
  const { can } = useSessionContext()
  useHotkeys(
    'Session',
    !can.ownsPage
      ? []
      : [
          { keys: 'j', label: 'Go to the next row', run: () => step(1) },
          { keys: 'k', label: 'Go to the previous row', run: () => step(-1) },
          { keys: 'Enter', label: 'Open or close the row', run: toggle }
        ]
  )
}
