import { mightContainEmbed, type Piece, readText } from '@waystation/protocol/agent/read-embeds.ts'
import { EmbedError } from './embed-error.ts'

/**
 * A location with an embed in a value: a text, or an object with `@ag.embed` (`embed`) and other fields (`siblings`).
 * `place` is its dotted path.
 */
export type Site = { place: string; original: unknown } & (
  | { kind: 'object'; embed: unknown; siblings: Record<string, unknown> }
  | { kind: 'text'; pieces: Piece[] }
)

/** The deepest nesting of objects and arrays. Embedded values have the same limit. */
const maxDepth = 1000

/**
 * Replaces each site in a value, in a fixed order. Parts without sites stay the same object. Field names are copied as
 * data, even `__proto__`.
 */
export function withSites(value: unknown, replace: (site: Site) => unknown, path: string[] = []): unknown {
  const visit = (name: string, inner: unknown) => {
    path.push(name)
    const replaced = withSites(inner, replace, path)
    path.pop()
    return replaced
  }
  if (typeof value === 'string') {
    if (!mightContainEmbed(value)) return value
    const { pieces } = readText(value)
    if (!pieces.some(piece => 'raw' in piece)) return value
    return replace({ kind: 'text', place: path.join('.'), original: value, pieces })
  }
  if (typeof value !== 'object' || value === null) return value
  if (path.length > maxDepth)
    throw new EmbedError(
      'TooDeep',
      path.slice(0, 3).join('.'),
      `it is nested more than ${maxDepth} levels deep.`
    )
  if (Array.isArray(value)) {
    const items = value.map((item, index) => visit(String(index), item))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (Object.hasOwn(value, '@ag.embed')) {
    const { '@ag.embed': embed, ...siblings } = value as Record<string, unknown>
    return replace({ kind: 'object', place: path.join('.'), original: value, embed, siblings })
  }
  const before = Object.entries(value)
  const after = before.map(([name, field]) => [name, visit(name, field)] as const)
  return after.some(([, field], index) => field !== before[index]?.[1]) ? Object.fromEntries(after) : value
}
