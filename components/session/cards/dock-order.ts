import type { Call } from '@waystation/protocol/call/call.ts'

/** The IDs of the calls in the dock, in display order, and of the open card. */
export type DockOrder = { ids: readonly string[]; open: string | undefined }

export const emptyDock: DockOrder = { ids: [], open: undefined }

/**
 * Returns the dock after a change. `waiting` is ordered by deadline, then age. The open card stays open and
 * first, so that no button moves. While the pointer is over the dock (`held`), nothing changes: a settled
 * call stays as a line, and a new call is added when the pointer leaves.
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
