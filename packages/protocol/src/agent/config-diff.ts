import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import type { ConfigChange } from './comparison.ts'

/**
 * Fields in the order in which people read them. Others follow by name, because the database does not preserve the
 * order of keys.
 */
const readingOrder =
  'displayName description text type chat external model instructions tools answer limits tags fields'.split(
    ' '
  )

/**
 * Returns the differences between two JSON values, in reading order. List items are matched by `name`, `label`, `id` or
 * their value. So a list whose items only changed order yields one `moved`. A list with duplicate labels is compared as
 * a whole.
 */
export function diffConfigs(before: unknown, after: unknown): ConfigChange[] {
  return [...changesOf(before, after, [])]
}

type Fields = Record<string, unknown>

function* changesOf(before: unknown, after: unknown, path: string[]): Generator<ConfigChange> {
  if (before === undefined && after === undefined) return
  if (before === undefined) yield { path, kind: 'added', after }
  else if (after === undefined) yield { path, kind: 'removed', before }
  else if (isJsonObject(before) && isJsonObject(after)) yield* changesOfFields(before, after, path)
  else if (Array.isArray(before) && Array.isArray(after)) yield* changesOfList(before, after, path)
  else if (!isSame(before, after)) yield { path, kind: 'changed', before, after }
}

function* changesOfFields(before: Fields, after: Fields, path: string[]): Generator<ConfigChange> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  const rank = (name: string) => readingOrder.indexOf(name) + 1 || Infinity
  for (const name of names.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b))))
    yield* changesOf(ownField(before, name), ownField(after, name), [...path, name])
}

function* changesOfList(before: unknown[], after: unknown[], path: string[]): Generator<ConfigChange> {
  const [oldItems, newItems] = [byIdentity(before), byIdentity(after)]
  if (oldItems === undefined || newItems === undefined) {
    if (!isSame(before, after)) yield { path, kind: 'changed', before, after }
    return
  }
  for (const id of new Set([...oldItems.keys(), ...newItems.keys()]))
    yield* changesOf(oldItems.get(id), newItems.get(id), [...path, id])
  const oldOrder = [...oldItems.keys()].filter(id => newItems.has(id))
  const newOrder = [...newItems.keys()].filter(id => oldItems.has(id))
  if (!isSame(oldOrder, newOrder)) yield { path, kind: 'moved', before: oldOrder, after: newOrder }
}

/** Returns the items of a list by label, or undefined if two items have the same label. */
function byIdentity(list: unknown[]): Map<string, unknown> | undefined {
  const items = new Map(list.map(item => [labelOf(item), item]))
  return items.size === list.length ? items : undefined
}

/** Returns the label that identifies a list item across versions of the list. */
export function labelOf(item: unknown): string {
  if (typeof item === 'string') return item
  const { name, label, id } = isJsonObject(item) ? item : ({} as Fields)
  return [name, label, id].find(value => typeof value === 'string') ?? String(canonicalJson(item))
}

/** Compares two JSON values. The order of keys does not matter. */
export const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)

const ownField = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined
