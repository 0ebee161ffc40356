import canonicalize from 'canonicalize'
import { isJsonObject } from '#lib/protocol/json-object.ts'
import { identityOf } from './identity.ts'
import { mergeOverlay } from './merge.ts'

/**
 * What may be saved of a configuration that an overlay was laid over and somebody changed since: without what the overlay
 * brought, with all that `base`, the configuration before it, had, and with their changes. An item that only the overlay
 * brought goes, also when it was changed; a field that the overlay set is as in `base` again unless it was set anew.
 * `stripOverlay(mergeOverlay(base, overlay), overlay, base)` is `base`. A copy, of which nothing is shared.
 */
export const stripOverlay = (config: unknown, overlay: unknown, base: unknown): unknown =>
  structuredClone(stripped(config, mergeOverlay(base, overlay), base))

/** `laid`: what stood here when the overlay was just laid over `base`. */
function stripped(value: unknown, laid: unknown, base: unknown): unknown {
  if (canonicalize(value) === canonicalize(laid)) return base
  if (Array.isArray(value) && Array.isArray(laid))
    return strippedList(value, laid, Array.isArray(base) ? base : [])
  if (isJsonObject(value) && isJsonObject(laid))
    return strippedFields(value, laid, isJsonObject(base) ? base : {})
  return value
}

type Fields = Record<string, unknown>

function strippedFields(value: Fields, laid: Fields, base: Fields): Fields {
  const kept = Object.entries(value).flatMap(([name, field]) => {
    if (!Object.hasOwn(laid, name)) return [[name, field] as const]
    const before = Object.hasOwn(base, name) ? base[name] : undefined
    const after = stripped(field, laid[name], before)
    return after === undefined || (before === undefined && isEmpty(after)) ? [] : [[name, after] as const]
  })
  return Object.fromEntries(kept)
}

function strippedList(
  value: readonly unknown[],
  laid: readonly unknown[],
  base: readonly unknown[]
): unknown[] {
  const [ofLaid, ofBase] = [byIdentity(laid), byIdentity(base)]
  return value.flatMap(item => {
    const id = identityOf(item)
    const was = ofLaid.get(id)
    if (was === undefined) return [item]
    const own = ofBase.get(id)
    if (own === undefined) return []
    // The first of one kind was laid over; as many as there were belong to each other, more are new.
    const [laidItem, baseItem] = [was.shift(), own.shift()]
    return [baseItem === undefined ? item : stripped(item, laidItem, baseItem)]
  })
}

function byIdentity(items: readonly unknown[]): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  for (const item of items) {
    const id = identityOf(item)
    found.set(id, [...(found.get(id) ?? []), item])
  }
  return found
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0
