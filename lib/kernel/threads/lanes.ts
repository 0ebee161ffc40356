/** Things that wait for their turn, each in a lane. */
export type Lanes<T> = {
  /** False: this lane has no room, and the thing does not wait. */
  add: (lane: string, thing: T) => boolean
  next: () => T | undefined
}

/**
 * Lanes take turns, so that many things of one do not keep the others waiting. A lane is `workspace`, or `workspace who`: then
 * workspaces take turns, and in each of them those who wait there. At most `most` things wait in a lane.
 */
export function lanesOf<T>(most: number): Lanes<T> {
  const workspaces = new Map<string, Map<string, T[]>>()
  return {
    add(lane, thing) {
      const [workspace = ''] = lane.split(' ', 1)
      const within = workspaces.get(workspace) ?? new Map<string, T[]>()
      const things = within.get(lane) ?? []
      if (things.length >= most) return false
      workspaces.set(workspace, within.set(lane, [...things, thing]))
      return true
    },
    next() {
      const within = first(workspaces)
      if (within === undefined) return undefined
      const [workspace, lanes] = within
      workspaces.delete(workspace)
      const [lane, [thing, ...rest]] = first(lanes) as [string, [T, ...T[]]]
      lanes.delete(lane)
      // Behind all others that wait.
      if (rest.length > 0) lanes.set(lane, rest)
      if (lanes.size > 0) workspaces.set(workspace, lanes)
      return thing
    }
  }
}

const first = <K, V>(map: Map<K, V>): [K, V] | undefined => map.entries().next().value
