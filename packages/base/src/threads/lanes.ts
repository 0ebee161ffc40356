/** A queue with lanes. */
export type Lanes<T> = {
  /** Returns false if the lane is full. The item is then not added. */
  add: (lane: string, thing: T) => boolean
  next: () => T | undefined
}

/**
 * Creates a queue that takes items from lanes in turn, so that one lane with many items does not delay the others. A
 * lane is `workspace` or `workspace user`. Workspaces take turns, and within a workspace its users. Each lane has at
 * most `maxPerLane` waiting items.
 */
export function lanesOf<T>(maxPerLane: number): Lanes<T> {
  const workspaces = new Map<string, Map<string, T[]>>()
  return {
    add(lane, item) {
      const [workspace = ''] = lane.split(' ', 1)
      const lanes = workspaces.get(workspace) ?? new Map<string, T[]>()
      const items = lanes.get(lane) ?? []
      if (items.length >= maxPerLane) return false
      workspaces.set(workspace, lanes.set(lane, [...items, item]))
      return true
    },
    next() {
      const entry = first(workspaces)
      if (entry === undefined) return undefined
      const [workspace, lanes] = entry
      workspaces.delete(workspace)
      const [lane, [item, ...rest]] = first(lanes) as [string, [T, ...T[]]]
      lanes.delete(lane)
      // The lane goes to the end of the queue.
      if (rest.length > 0) lanes.set(lane, rest)
      if (lanes.size > 0) workspaces.set(workspace, lanes)
      return item
    }
  }
}

const first = <K, V>(map: Map<K, V>): [K, V] | undefined => map.entries().next().value
