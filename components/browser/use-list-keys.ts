import type { RefObject } from 'react'
import { useHotkeys } from './hotkeys.ts'

type List = RefObject<HTMLElement | null>

/** Registers `j` and `k`, which move the focus through a list: in each row, to the element `target`. */
export function useListKeys(list: List, target: string): void {
  const step = (by: 1 | -1) => {
    const here = rowOf(list, document.activeElement)
    focusRow(list, target, here < 0 ? 0 : here + by)
  }
  useHotkeys('List', [
    { keys: 'j', label: 'Go to the next row', run: () => step(1) },
    { keys: 'k', label: 'Go to the previous row', run: () => step(-1) }
  ])
}

/** Returns the index of the row that contains a node, or -1. */
export const rowOf = (list: List, node: EventTarget | null): number =>
  [...(list.current?.children ?? [])].findIndex(row => node instanceof Node && row.contains(node))

/** Moves the focus to a row, or to the last one if the list is shorter. */
export function focusRow(list: List, target: string, index: number): void {
  const rows = [...(list.current?.children ?? [])]
  const row = rows[Math.min(Math.max(index, 0), rows.length - 1)]
  row?.querySelector<HTMLElement>(target)?.focus()
  row?.querySelector(target)?.scrollIntoView({ block: 'nearest' })
}
