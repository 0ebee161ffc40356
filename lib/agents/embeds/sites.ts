import { EmbedRefusal } from './embed-refusal.ts'
import { mayHoldEmbed, type Piece, readText } from './read-text.ts'

/**
 * A place in a value that has embeds: an object whose `@ag.embed` is `embed`, with the fields `beside` it, or a text.
 * `place`: the way to it, with dots.
 */
export type Site = { place: string; original: unknown } & (
  | { kind: 'object'; embed: unknown; beside: Record<string, unknown> }
  | { kind: 'text'; pieces: Piece[] }
)

/** The most objects and arrays within each other; an embed brings none that is deeper. */
const mostNested = 1000

/**
 * The value with what `replace` makes of each of its sites, in a fixed order; what holds none is the same object as
 * before. Names of fields are copied as data, also `__proto__`.
 */
export function withSites(value: unknown, replace: (site: Site) => unknown, path: string[] = []): unknown {
  const within = (name: string, inner: unknown) => {
    path.push(name)
    const replaced = withSites(inner, replace, path)
    path.pop()
    return replaced
  }
  if (typeof value === 'string') {
    if (!mayHoldEmbed(value)) return value
    const { pieces } = readText(value)
    if (!pieces.some(piece => 'raw' in piece)) return value
    return replace({ kind: 'text', place: path.join('.'), original: value, pieces })
  }
  if (typeof value !== 'object' || value === null) return value
  if (path.length > mostNested)
    throw new EmbedRefusal(
      'TooDeep',
      path.slice(0, 3).join('.'),
      `it is nested more than ${mostNested} levels deep.`
    )
  if (Array.isArray(value)) {
    const items = value.map((item, index) => within(String(index), item))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (Object.hasOwn(value, '@ag.embed')) {
    const { '@ag.embed': embed, ...beside } = value as Record<string, unknown>
    return replace({ kind: 'object', place: path.join('.'), original: value, embed, beside })
  }
  const before = Object.entries(value)
  const after = before.map(([name, field]) => [name, within(name, field)] as const)
  return after.some(([, field], index) => field !== before[index]?.[1]) ? Object.fromEntries(after) : value
}
