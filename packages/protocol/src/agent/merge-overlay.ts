import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { identityOf } from './overlay-identity.ts'

/**
 * Merges an overlay into a configuration, and returns a deep copy. Objects are merged field by field, and the overlay
 * wins. Lists keep the configuration's order. An overlay item whose identity (`overlay-identity.ts`) is in the list is merged
 * into the first such item. Other items are appended.
 */
export const mergeOverlay = (config: unknown, overlay: unknown): unknown =>
  structuredClone(merge(config, overlay))

function merge(base: unknown, overlay: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(overlay)) return mergeLists(base, overlay)
  if (!isJsonObject(base) || !isJsonObject(overlay)) return overlay
  const fields = Object.entries(base).map(([name, field]) => [
    name,
    Object.hasOwn(overlay, name) ? merge(field, overlay[name]) : field
  ])
  const more = Object.entries(overlay).filter(([name]) => !Object.hasOwn(base, name))
  return Object.fromEntries([...fields, ...more])
}

function mergeLists(base: readonly unknown[], overlay: readonly unknown[]): unknown[] {
  const items = [...base]
  const indexById = new Map<string, number>()
  base.forEach((item, index) => {
    const id = identityOf(item)
    if (!indexById.has(id)) indexById.set(id, index)
  })
  for (const item of overlay) {
    const id = identityOf(item)
    const index = indexById.get(id)
    if (index !== undefined) items[index] = merge(items[index], item)
    else indexById.set(id, items.push(item) - 1)
  }
  return items
}
