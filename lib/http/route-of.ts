import { pathTree, segmentsOf } from '#lib/kernel/path-tree.ts'
import type { Operation } from './operation.ts'

/** Which route an address belongs to, and what it names; never the address itself, which may hold a capability. */
export type Routed = { route: string; ids: { sessionId?: string; toolCallId?: string; deliveryId?: string } }

const named = ['sessionId', 'toolCallId', 'deliveryId'] as const

/**
 * Finds the route of a path among these calls. A path of none of them is `page`, `asset` or `other`. There are few such names,
 * because each is a series of the metrics forever.
 */
export function routesOf(operations: readonly Operation[]): (path: string) => Routed {
  const find = pathTree(operations.map(({ path }) => [path, path] as const))
  return path => {
    const found = find(segmentsOf(path.replace(/\/$/, '')))
    if (found !== undefined) {
      const ids = named.flatMap(name => {
        const value = found.params[name]
        return value === undefined ? [] : [[name, value.slice(0, 200)]]
      })
      return { route: found.value, ids: Object.fromEntries(ids) }
    }
    if (path.startsWith('/_next/')) return { route: 'asset', ids: {} }
    return { route: /^\/(api|external|samples)\//.test(path) ? 'other' : 'page', ids: {} }
  }
}
