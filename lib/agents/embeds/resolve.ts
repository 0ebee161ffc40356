import { atPath } from '@waystation/protocol/agent/at-path.ts'
import { type Embed, type EmbedReferences, referenceLabel } from '@waystation/protocol/agent/embed.ts'
import { type Piece, readText } from '@waystation/protocol/agent/read-embeds.ts'
import { EmbedError, placeholderOf } from './embed-error.ts'
import { parseEmbed } from './parse-embed.ts'
import { type Site, withSites } from './sites.ts'

/**
 * The target of a reference. `name` is unique among targets. If `embeddable` is false, the target cannot be embedded.
 */
export type Found = { name: string; data: unknown; embeddable?: boolean }
export type Lookup = (references: EmbedReferences) => Found | undefined | Promise<Found | undefined>

export type ResolveOptions = {
  lookup: Lookup
  /**
   * How to treat an embed that cannot be resolved:
   * - `exception` (default): throws an `EmbedError`
   * - `placeholder`: inserts its error kind, such as `<error:UnknownReference>`
   * - `keep`: leaves the outermost embed that contains it unchanged
   */
  onError?: 'exception' | 'placeholder' | 'keep'
}

/** The deepest nesting of embeds, the number of embeds, and the bytes of the result as JSON. */
export const limits = { depth: 10, embeds: 100, bytes: 1024 * 1024 }

/**
 * Resolves the embeds in a JSON value, and the embeds in their targets (docs/embeds.md). Parts without embeds stay the
 * same object, and nothing is changed in place. Each reference is looked up once. Errors of `lookup` are thrown on.
 * Except with `keep`, the result contains no embeds, so resolving it again returns the same value.
 *
 * - An object with `@ag.embed` is replaced by the selected value. Its other fields override the fields of that value.
 * - A text that is a single embed is replaced by the selected value. In a longer text, the value must be a text or a
 *   number, which is inserted.
 */
export async function resolveEmbeds(
  value: unknown,
  { lookup, onError = 'exception' }: ResolveOptions
): Promise<unknown> {
  const targets = new Map<string, Found | undefined>()
  let embeds = 0
  let bytes = 0

  /** Resolves a value. `chain` lists the enclosing embeds as `name#path`, and is empty for the root value. */
  async function resolveValue(value: unknown, chain: readonly string[], place?: string): Promise<unknown> {
    const sites: Site[] = []
    withSites(value, site => {
      sites.push(place === undefined ? site : { ...site, place })
      return site.original
    })
    if (chain.length > 0 || sites.length > 0) countBytes(value, chain, place)
    if (sites.length === 0) return value
    const replacements: unknown[] = []
    for (const site of sites)
      replacements.push(
        await (site.kind === 'object' ? resolveObject(site, chain) : resolveText(site, chain))
      )
    let next = 0
    return withSites(value, () => replacements[next++])
  }

  /**
   * Counts the bytes of a value. The root value itself is never refused. If it alone is too large, each of its embeds
   * is.
   */
  function countBytes(value: unknown, chain: readonly string[], place = ''): void {
    const size = Buffer.byteLength(JSON.stringify(value))
    if (chain.length > 0 && bytes + size > limits.bytes)
      throw new EmbedError(
        'TooLarge',
        place,
        `the resolved configuration would be larger than ${limits.bytes / 1024} KiB.`
      )
    bytes += size
  }

  const resolveObject = (site: Site & { kind: 'object' }, chain: readonly string[]) =>
    applyPolicy(site.original, chain, async () => {
      const value = await selectValue(parseEmbed(site.embed, site.place), chain, site.place)
      if (Object.keys(site.siblings).length === 0) return value
      const siblings = await resolveValue(site.siblings, chain, site.place)
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return { ...value, ...(siblings as object) }
      throw new EmbedError(
        'NotAnObject',
        site.place,
        `the selected value is not an object. Remove the fields next to the embed: ${Object.keys(site.siblings).join(', ')}.`
      )
    })

  async function resolveText(site: Site & { kind: 'text' }, chain: readonly string[]): Promise<unknown> {
    const [only, ...others] = site.pieces
    if (only !== undefined && others.length === 0) return resolvePiece(only, site.place, chain)
    return applyPolicy(site.original, chain, async () => {
      if (site.pieces.filter(piece => 'raw' in piece).length > limits.embeds)
        throw new EmbedError('TooManyEmbeds', site.place, `this text has more than ${limits.embeds} embeds.`)
      let text = ''
      for (const piece of site.pieces)
        text += await applyPolicy('raw' in piece ? piece.raw : piece.text, chain, async () =>
          toText(await resolvePiece(piece, site.place, chain), site.place)
        )
      if (onError !== 'keep' && readText(text).pieces.some(piece => 'raw' in piece))
        throw new EmbedError(
          'MalformedEmbed',
          site.place,
          'its value and the text around it read as another embed. Change the text around it.'
        )
      return text
    })
  }

  const resolvePiece = (piece: Piece, place: string, chain: readonly string[]): unknown =>
    'text' in piece
      ? piece.text
      : applyPolicy(piece.raw, chain, async () => {
          if (piece.embed === null) throw new EmbedError('MalformedEmbed', place, piece.error ?? '')
          return selectValue(parseEmbed(piece.embed, place), chain, place)
        })

  function toText(value: unknown, place: string): string {
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    throw new EmbedError(
      'NotText',
      place,
      'it is part of a text, but the selected value is not a text or a number.'
    )
  }

  async function applyPolicy(original: unknown, chain: readonly string[], work: () => Promise<unknown>) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof EmbedError)) throw error
      if (onError === 'placeholder') return placeholderOf(error.kind)
      if (onError === 'keep' && chain.length === 0) return original
      throw error
    }
  }

  async function selectValue(embed: Embed, chain: readonly string[], place: string): Promise<unknown> {
    embeds++
    if (embeds > limits.embeds)
      throw new EmbedError('TooManyEmbeds', place, `there are more than ${limits.embeds} embeds in all.`)
    const path = embed['@ag.selector']?.path
    const target = await findTarget(embed['@ag.references'], place)
    const step = path === undefined ? target.name : `${target.name}#${path}`
    if (chain.includes(step)) {
      const circle = [...chain.slice(chain.indexOf(step)), step].join(' → ')
      throw new EmbedError('CircularReference', place, `it is circular (${circle}).`)
    }
    if (chain.length >= limits.depth)
      throw new EmbedError('TooDeep', place, `more than ${limits.depth} embeds are nested, at ${step}.`)
    const value = atPath(target.data, path)
    if (value === undefined)
      throw new EmbedError('PathNotFound', place, `${target.name} has no value at "${path}".`)
    return resolveValue(value, [...chain, step], place)
  }

  async function findTarget(references: EmbedReferences, place: string): Promise<Found> {
    const { workflow, agent } = references
    const { id, slug, version, revision } = workflow ?? agent ?? {}
    const cacheKey = JSON.stringify([
      workflow === undefined,
      id ?? null,
      slug ?? null,
      String(version ?? revision ?? '')
    ])
    const target = targets.has(cacheKey) ? targets.get(cacheKey) : await lookup(references)
    targets.set(cacheKey, target)
    if (target === undefined)
      throw new EmbedError(
        'UnknownReference',
        place,
        `there is no ${referenceLabel(references)}. Correct the reference, or remove the embed.`
      )
    if (target.embeddable === false)
      throw new EmbedError('NotEmbeddable', place, `${target.name} cannot be embedded.`)
    return target
  }

  return resolveValue(value, [])
}
