import type { Operation } from './operation.ts'

/** Which route an address belongs to, and what it names; never the address itself, which may hold a capability. */
export type Routed = { route: string; ids: { sessionId?: string; toolCallId?: string; deliveryId?: string } }

const named = ['sessionId', 'toolCallId', 'deliveryId'] as const

/**
 * Finds the route of a path among these calls. What is none of them is `page`, `asset`, or `other`: as few words as
 * there are kinds, since each is a series of the metrics for ever.
 */
export function routesOf(operations: readonly Operation[]): (path: string) => Routed {
  const routes = [...new Set(operations.map(({ path }) => path))].map(route => ({
    route,
    pattern: new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`)
  }))
  return path => {
    for (const { route, pattern } of routes) {
      const match = pattern.exec(path)
      if (match === null) continue
      const ids = named.flatMap(name => {
        const value = match.groups?.[name]
        return value === undefined ? [] : [[name, value.slice(0, 200)]]
      })
      return { route, ids: Object.fromEntries(ids) }
    }
    if (path.startsWith('/_next/')) return { route: 'asset', ids: {} }
    return { route: /^\/(api|external|samples)\//.test(path) ? 'other' : 'page', ids: {} }
  }
}
