import { isJsonObject } from '#lib/protocol/json-object.ts'
import { identityOf } from './identity.ts'

/**
 * A configuration with an overlay laid over it, for one run: a copy, of which nothing is shared with either. Objects are
 * merged field by field and the overlay wins. Lists keep the configuration's order; an item of the overlay that the list
 * has already (`identity.ts`) is merged into the first such one, others come behind.
 */
export const mergeOverlay = (config: unknown, overlay: unknown): unknown =>
  structuredClone(merged(config, overlay))

function merged(base: unknown, over: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(over)) return mergedLists(base, over)
  if (!isJsonObject(base) || !isJsonObject(over)) return over
  const fields = Object.entries(base).map(([name, field]) => [
    name,
    Object.hasOwn(over, name) ? merged(field, over[name]) : field
  ])
  const more = Object.entries(over).filter(([name]) => !Object.hasOwn(base, name))
  return Object.fromEntries([...fields, ...more])
}

function mergedLists(base: readonly unknown[], over: readonly unknown[]): unknown[] {
  const items = [...base]
  const first = new Map<string, number>()
  base.forEach((item, index) => {
    const id = identityOf(item)
    if (!first.has(id)) first.set(id, index)
  })
  for (const item of over) {
    const id = identityOf(item)
    const at = first.get(id)
    if (at !== undefined) items[at] = merged(items[at], item)
    else first.set(id, items.push(item) - 1)
  }
  return items
}
