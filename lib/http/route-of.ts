import { pathTree, segmentsOf } from '#lib/kernel/path-tree.ts'
import type { Operation } from './operation.ts'

/** The route of a path and the IDs in it. The path itself is left out, because it can contain a credential. */
export type RouteMatch = {
  route: string
  ids: { sessionId?: string; toolCallId?: string; deliveryId?: string }
}

const idNames = ['sessionId', 'toolCallId', 'deliveryId'] as const

/**
 * Returns a function that finds the route of a path among these operations. For other paths, the route is `page`,
 * `asset` or `other`. The number of routes stays small, because each one creates a permanent metrics series.
 */
export function routesOf(operations: readonly Operation[]): (path: string) => RouteMatch {
  const findRoute = pathTree(operations.map(({ path }) => [path, path] as const))
  return path => {
    const match = findRoute(segmentsOf(path.replace(/\/$/, '')))
    if (match !== undefined) {
      const ids = idNames.flatMap(name => {
        const value = match.params[name]
        return value === undefined ? [] : [[name, value.slice(0, 200)]]
      })
      return { route: match.value, ids: Object.fromEntries(ids) }
    }
    if (path.startsWith('/_next/')) return { route: 'asset', ids: {} }
    return { route: /^\/(api|external|samples)\//.test(path) ? 'other' : 'page', ids: {} }
  }
}
