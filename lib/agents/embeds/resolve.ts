import { type Embed, type EmbedReferences, referenceWords } from '#lib/protocol/agent/embed.ts'
import { atPath } from './at-path.ts'
import { EmbedRefusal, placeholderOf } from './embed-refusal.ts'
import { parseEmbed } from './parse-embed.ts'
import { type Piece, readText } from './read-text.ts'
import { type Site, withSites } from './sites.ts'

/** What a reference leads to. `name` tells it from every other; `embeddable` false: it may be read and not embedded. */
export type Found = { name: string; data: unknown; embeddable?: boolean }
export type Lookup = (references: EmbedReferences) => Found | undefined | Promise<Found | undefined>

export type ResolveOptions = {
  lookup: Lookup
  /**
   * What becomes of an embed that cannot be resolved. `exception` (the default): an `EmbedRefusal`. `placeholder`: the text
   * `<error:UnknownReference>`, by its kind. `keep`: the outermost embed that it is part of stays as it is.
   */
  onError?: 'exception' | 'placeholder' | 'keep'
}

/** Embeds within what was embedded, embeds in all, and bytes of the result as JSON. */
export const limits = { depth: 10, embeds: 100, bytes: 1024 * 1024 }

/**
 * Any JSON value with its embeds resolved, and those in what they brought (docs/embeds.md). What holds no embed stays the
 * same object; nothing is changed in place. Each reference is looked up once, however often it is embedded; what `lookup`
 * throws is thrown on. But for `keep`, the result holds no embed: resolving it again gives the same.
 *
 * - An object with `@ag.embed` becomes what is selected, with the fields beside it over that one's own.
 * - A text that is one embed and nothing else becomes what is selected; otherwise that must be a text or a number, and
 *   is written into it.
 */
export async function resolveEmbeds(
  value: unknown,
  { lookup, onError = 'exception' }: ResolveOptions
): Promise<unknown> {
  const known = new Map<string, Found | undefined>()
  let embeds = 0
  let bytes = 0

  /** `chain`: what is being embedded around it, each `name#path`; empty for the value itself. */
  async function resolved(value: unknown, chain: readonly string[], place?: string): Promise<unknown> {
    const sites: Site[] = []
    withSites(value, site => {
      sites.push(place === undefined ? site : { ...site, place })
      return site.original
    })
    if (chain.length > 0 || sites.length > 0) charge(value, chain, place)
    if (sites.length === 0) return value
    const brought: unknown[] = []
    for (const site of sites)
      brought.push(await (site.kind === 'object' ? ofObject(site, chain) : ofText(site, chain)))
    let at = 0
    return withSites(value, () => brought[at++])
  }

  /** The value itself is never refused: when it alone is too large, its embeds are, each in its place. */
  function charge(value: unknown, chain: readonly string[], place = ''): void {
    const more = Buffer.byteLength(JSON.stringify(value))
    if (chain.length > 0 && bytes + more > limits.bytes)
      throw new EmbedRefusal(
        'TooLarge',
        place,
        `the resolved configuration would be larger than ${limits.bytes / 1024} KiB.`
      )
    bytes += more
  }

  const ofObject = (site: Site & { kind: 'object' }, chain: readonly string[]) =>
    orInstead(site.original, chain, async () => {
      const value = await selected(parseEmbed(site.embed, site.place), chain, site.place)
      if (Object.keys(site.beside).length === 0) return value
      const beside = await resolved(site.beside, chain, site.place)
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return { ...value, ...(beside as object) }
      throw new EmbedRefusal(
        'NotAnObject',
        site.place,
        `the selected value is not an object. Remove the fields next to the embed: ${Object.keys(site.beside).join(', ')}.`
      )
    })

  async function ofText(site: Site & { kind: 'text' }, chain: readonly string[]): Promise<unknown> {
    const [only, ...others] = site.pieces
    if (only !== undefined && others.length === 0) return ofPiece(only, site.place, chain)
    return orInstead(site.original, chain, async () => {
      if (site.pieces.filter(piece => 'raw' in piece).length > limits.embeds)
        throw new EmbedRefusal(
          'TooManyEmbeds',
          site.place,
          `this text has more than ${limits.embeds} embeds.`
        )
      let text = ''
      for (const piece of site.pieces)
        text += await orInstead('raw' in piece ? piece.raw : piece.text, chain, async () =>
          written(await ofPiece(piece, site.place, chain), site.place)
        )
      if (onError !== 'keep' && readText(text).pieces.some(piece => 'raw' in piece))
        throw new EmbedRefusal(
          'MalformedEmbed',
          site.place,
          'its value and the text around it read as another embed. Change the text around it.'
        )
      return text
    })
  }

  const ofPiece = (piece: Piece, place: string, chain: readonly string[]): unknown =>
    'text' in piece
      ? piece.text
      : orInstead(piece.raw, chain, async () => {
          if (piece.embed === null) throw new EmbedRefusal('MalformedEmbed', place, piece.fault ?? '')
          return selected(parseEmbed(piece.embed, place), chain, place)
        })

  function written(value: unknown, place: string): string {
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    throw new EmbedRefusal(
      'NotText',
      place,
      'it is part of a text, but the selected value is not a text or a number.'
    )
  }

  async function orInstead(original: unknown, chain: readonly string[], work: () => Promise<unknown>) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof EmbedRefusal)) throw error
      if (onError === 'placeholder') return placeholderOf(error.kind)
      if (onError === 'keep' && chain.length === 0) return original
      throw error
    }
  }

  async function selected(embed: Embed, chain: readonly string[], place: string): Promise<unknown> {
    embeds++
    if (embeds > limits.embeds)
      throw new EmbedRefusal('TooManyEmbeds', place, `there are more than ${limits.embeds} embeds in all.`)
    const path = embed['@ag.selector']?.path
    const found = await lookedUp(embed['@ag.references'], place)
    const step = path === undefined ? found.name : `${found.name}#${path}`
    if (chain.includes(step)) {
      const circle = [...chain.slice(chain.indexOf(step)), step].join(' → ')
      throw new EmbedRefusal('CircularReference', place, `it is circular (${circle}).`)
    }
    if (chain.length >= limits.depth)
      throw new EmbedRefusal('TooDeep', place, `more than ${limits.depth} embeds are nested, at ${step}.`)
    const value = atPath(found.data, path)
    if (value === undefined)
      throw new EmbedRefusal('PathNotFound', place, `${found.name} has no value at "${path}".`)
    return resolved(value, [...chain, step], place)
  }

  async function lookedUp(references: EmbedReferences, place: string): Promise<Found> {
    const { workflow, agent } = references
    const { id, slug, version, revision } = workflow ?? agent ?? {}
    const same = JSON.stringify([
      workflow === undefined,
      id ?? null,
      slug ?? null,
      String(version ?? revision ?? '')
    ])
    const found = known.has(same) ? known.get(same) : await lookup(references)
    known.set(same, found)
    if (found === undefined)
      throw new EmbedRefusal(
        'UnknownReference',
        place,
        `there is no ${referenceWords(references)}. Correct the reference, or remove the embed.`
      )
    if (found.embeddable === false)
      throw new EmbedRefusal('NotEmbeddable', place, `${found.name} cannot be embedded.`)
    return found
  }

  return resolved(value, [])
}
