/** Names that nothing is ever looked up by. */
const inert = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * What stands at a path: names and indexes with dots between them (`chat.tools.0.name`); of own fields only. No path:
 * the value itself. Undefined: there is nothing.
 */
export function atPath(value: unknown, path: string | undefined): unknown {
  let at = value
  for (const name of path === undefined ? [] : path.split('.')) {
    if (typeof at !== 'object' || at === null || inert.has(name)) return undefined
    if (Array.isArray(at) && !/^(0|[1-9]\d{0,8})$/.test(name)) return undefined
    if (!Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at
}
