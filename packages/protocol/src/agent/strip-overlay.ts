import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { mergeOverlay } from './merge-overlay.ts'
import { identityOf } from './overlay-identity.ts'

/**
 * Removes an overlay from a configuration that a user edited with the overlay applied. `base` is the configuration
 * before the overlay. The result has the content of `base` and the user's changes. Items that only the overlay added
 * are removed, even if they were changed. Fields that the overlay set return to `base` unless the user changed them.
 * Returns a deep copy.
 *
 * `stripOverlay(mergeOverlay(base, overlay), overlay, base)` equals `base`.
 */
export const stripOverlay = (config: unknown, overlay: unknown, base: unknown): unknown =>
  structuredClone(strip(config, mergeOverlay(base, overlay), base))

/** `merged` is the value when the overlay was first applied to `base`. */
function strip(value: unknown, merged: unknown, base: unknown): unknown {
  if (canonicalJson(value) === canonicalJson(merged)) return base
  if (Array.isArray(value) && Array.isArray(merged))
    return stripList(value, merged, Array.isArray(base) ? base : [])
  if (isJsonObject(value) && isJsonObject(merged))
    return stripFields(value, merged, isJsonObject(base) ? base : {})
  return value
}

type Fields = Record<string, unknown>

function stripFields(value: Fields, merged: Fields, base: Fields): Fields {
  const fields = Object.entries(value).flatMap(([name, field]) => {
    if (!Object.hasOwn(merged, name)) return [[name, field] as const]
    const before = Object.hasOwn(base, name) ? base[name] : undefined
    const after = strip(field, merged[name], before)
    return after === undefined || (before === undefined && isEmpty(after)) ? [] : [[name, after] as const]
  })
  return Object.fromEntries(fields)
}

function stripList(
  value: readonly unknown[],
  merged: readonly unknown[],
  base: readonly unknown[]
): unknown[] {
  const [mergedById, baseById] = [byIdentity(merged), byIdentity(base)]
  return value.flatMap(item => {
    const id = identityOf(item)
    const mergedItems = mergedById.get(id)
    if (mergedItems === undefined) return [item]
    const baseItems = baseById.get(id)
    if (baseItems === undefined) return []
    // The first item of an identity was merged. Items are paired in order, and additional ones are new.
    const [mergedItem, baseItem] = [mergedItems.shift(), baseItems.shift()]
    return [baseItem === undefined ? item : strip(item, mergedItem, baseItem)]
  })
}

function byIdentity(items: readonly unknown[]): Map<string, unknown[]> {
  const byId = new Map<string, unknown[]>()
  for (const item of items) {
    const id = identityOf(item)
    byId.set(id, [...(byId.get(id) ?? []), item])
  }
  return byId
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0
