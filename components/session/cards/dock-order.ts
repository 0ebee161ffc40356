import type { Call } from '@waystation/protocol/call/call.ts'

/** What the dock shows: calls in order, and the one that is open. */
export type DockOrder = { ids: readonly string[]; open: string | undefined }

export const emptyDock: DockOrder = { ids: [], open: undefined }

/**
 * The dock after something changed. `waiting` is ordered by deadline, then age. The open card stays open and first,
 * others below it, so that nothing moves a button. While a pointer is on the dock (`held`) nothing comes or goes at
 * all: what was settled stays as a chip, what is new waits until the pointer leaves.
 */
export function orderDock(dock: DockOrder, waiting: readonly Call[], held: boolean): DockOrder {
  if (waiting.length === 0) return dock.ids.length === 0 ? dock : emptyDock
  if (held && dock.ids.length > 0) return dock
  const ids = waiting.map(call => call.toolCallId)
  const open = dock.open !== undefined && ids.includes(dock.open) ? dock.open : ids[0]
  const next = [...ids.filter(id => id === open), ...ids.filter(id => id !== open)]
  const same =
    dock.open === open && dock.ids.length === next.length && dock.ids.every((id, index) => id === next[index])
  return same ? dock : { ids: next, open }
}
