import canonicalize from 'canonicalize'
import { isJsonObject } from '#lib/protocol/json-object.ts'
import type { ConfigChange } from './agent-revision.ts'

/** Fields in the order in which people think of them; the others follow by name. A database keeps no order. */
const readingOrder =
  'displayName description type chat external model instructions tools answer limits'.split(' ')

/**
 * What is different between two JSON values, place by place, in the order in which a configuration is read. Lists are compared by identity
 * (`name`, `label`, `id`, else the item itself), so a tool that moved is one `moved` of its list and no change of those
 * behind it; a list that names something twice is compared whole. Nothing is different: no change.
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
  const place = (name: string) => readingOrder.indexOf(name) + 1 || Infinity
  for (const name of names.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b))))
    yield* changesOf(own(before, name), own(after, name), [...path, name])
}

function* changesOfList(before: unknown[], after: unknown[], path: string[]): Generator<ConfigChange> {
  const [were, are] = [byIdentity(before), byIdentity(after)]
  if (were === undefined || are === undefined) {
    if (!isSame(before, after)) yield { path, kind: 'changed', before, after }
    return
  }
  for (const id of new Set([...were.keys(), ...are.keys()]))
    yield* changesOf(were.get(id), are.get(id), [...path, id])
  const stayed = [...were.keys()].filter(id => are.has(id))
  const now = [...are.keys()].filter(id => were.has(id))
  if (!isSame(stayed, now)) yield { path, kind: 'moved', before: stayed, after: now }
}

/** The items of a list by what they are called; undefined when two are called alike. */
function byIdentity(list: unknown[]): Map<string, unknown> | undefined {
  const items = new Map(list.map(item => [labelOf(item), item]))
  return items.size === list.length ? items : undefined
}

/** What an item of a list is called, by which it is found again in another state of the list. */
export function labelOf(item: unknown): string {
  if (typeof item === 'string') return item
  const { name, label, id } = isJsonObject(item) ? item : ({} as Fields)
  return [name, label, id].find(word => typeof word === 'string') ?? String(canonicalize(item))
}

export const isSame = (a: unknown, b: unknown): boolean => canonicalize(a) === canonicalize(b)

const own = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined
