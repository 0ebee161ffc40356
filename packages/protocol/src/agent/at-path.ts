/** Field names that are never resolved, because they lead to prototypes. */
const unsafeNames = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Returns the value at a path of field names and indexes, such as `chat.tools.0.name`. It reads only own fields.
 * Without a path, it returns the value itself, and for a missing value undefined.
 */
export function atPath(value: unknown, path: string | undefined): unknown {
  let current = value
  for (const name of path === undefined ? [] : path.split('.')) {
    if (typeof current !== 'object' || current === null || unsafeNames.has(name)) return undefined
    if (Array.isArray(current) && !/^(0|[1-9]\d{0,8})$/.test(name)) return undefined
    if (!Object.hasOwn(current, name)) return undefined
    current = (current as Record<string, unknown>)[name]
  }
  return current
}
