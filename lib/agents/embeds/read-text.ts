/** An embed in a text, taken apart and not judged yet: the same shape that stands under `@ag.embed` in an object. */
export type TextEmbed = { '@ag.references': Fields; '@ag.selector'?: Record<string, string> }
type Fields = Record<string, Record<string, string>>

/** A text in its pieces, in order; together they are the whole text. `embed` null: it begins as one and is none. */
export type Piece = { text: string } | { raw: string; embed: TextEmbed | null; fault?: string }

/**
 * Finds the embeds of a text, in time that grows with its length alone:
 *
 *     text      = *( embed | any character )
 *     embed     = token | snippet
 *     token     = "@ag.embed[" ws references [ ws "," ws selector ] ws "]"
 *     references= "@ag.references[" ws pair   *( ws "," ws pair )   ws "]"
 *     selector  = "@ag.selector["   ws choice *( ws "," ws choice ) ws "]"
 *     snippet   = "@{{" ws pair *( ws "," ws ( pair | choice ) ) ws "}}"
 *     pair      = family "." field ws "=" ws value
 *     family    = "workflow" | "agent"
 *     field     = "id" | "slug" | "version" | "revision"
 *     choice    = "path" ws ":" ws value
 *     value     = 1*( ALPHA | DIGIT | "_" | "-" | "." | ":" | "/" )
 *     ws        = *( space | tab | CR | LF )
 *
 * `@{{` before anything but `workflow.` or `agent.` is text (other templates are written like that); `@ag.embed[` always
 * begins a token. Nothing inside an embed has an "@" but the words above, so that reading goes on where an attempt
 * failed and no character is read twice. `steps`: how often it looked at one.
 */
export function readText(text: string): { pieces: Piece[]; steps: number } {
  const reader = new Reader(text)
  const pieces: Piece[] = []
  let from = 0
  let at = text.indexOf('@')
  while (at !== -1) {
    reader.at = at
    const read = reader.embed()
    if (read !== undefined) {
      if (at > from) pieces.push({ text: text.slice(from, at) })
      pieces.push({ raw: text.slice(at, reader.at), ...read })
      from = reader.at
    }
    at = text.indexOf('@', Math.max(reader.at, at + 1))
  }
  if (from < text.length || pieces.length === 0) pieces.push({ text: text.slice(from) })
  return { pieces, steps: reader.steps }
}

/** Whether a text may have embeds in it: cheap, and never wrong about one that has. */
export const mayHoldEmbed = (text: string): boolean => text.includes('@ag.embed[') || text.includes('@{{')

/** Ends an attempt. No `Error`: a hostile text has a hundred thousand of them, and a stack each would be all its cost. */
class Misfit {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

const families = ['workflow', 'agent']
const fields = ['id', 'slug', 'version', 'revision']
/** `key` is read so that its error can say what to do (`embed-refusal.ts`). */
const choices = ['path', 'key']

class Reader {
  at = 0
  steps = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The embed that begins here; undefined when none does, and `at` is somewhere behind its beginning then. */
  embed(): { embed: TextEmbed | null; fault?: string } | undefined {
    const isToken = this.#skip('@ag.embed[')
    if (!isToken && !(this.#skip('@{{') && this.#beginsReference())) return undefined
    try {
      return { embed: isToken ? this.#token() : this.#snippet() }
    } catch (error) {
      if (error instanceof Misfit) return { embed: null, fault: error.message }
      throw error
    }
  }

  #beginsReference(): boolean {
    this.#space()
    return families.some(family => this.#comes(`${family}.`))
  }

  #token(): TextEmbed {
    const [references, selector]: [Fields, Fields[string]] = [{}, {}]
    this.#space()
    this.#expect('@ag.references[')
    this.#list(']', () => this.#pair(references))
    this.#space()
    if (this.#skip(',')) {
      this.#space()
      this.#expect('@ag.selector[')
      this.#list(']', () => this.#choice(selector))
      this.#space()
    }
    this.#expect(']')
    return embedOf(references, selector)
  }

  #snippet(): TextEmbed {
    const [references, selector]: [Fields, Fields[string]] = [{}, {}]
    this.#list('}}', () =>
      families.some(family => this.#comes(`${family}.`)) ? this.#pair(references) : this.#choice(selector)
    )
    return embedOf(references, selector)
  }

  #list(end: string, item: () => void): void {
    do {
      this.#space()
      item()
      this.#space()
    } while (this.#skip(','))
    this.#expect(end)
  }

  #pair(references: Fields): void {
    const family = this.#oneOf(families)
    this.#expect('.')
    const field = this.#oneOf(fields)
    this.#space()
    this.#expect('=')
    references[family] ??= {}
    this.#set(references[family], field)
  }

  #choice(selector: Fields[string]): void {
    const name = this.#oneOf(choices)
    this.#space()
    this.#expect(':')
    this.#set(selector, name)
  }

  #set(into: Fields[string], name: string): void {
    this.#space()
    if (name in into) throw new Misfit(`"${name}" is set twice.`)
    into[name] = this.#value()
  }

  #value(): string {
    const from = this.at
    while (this.at < this.#text.length && isOfValue(this.#text.charCodeAt(this.at))) this.#step(1)
    if (this.at === from) throw new Misfit('a value is missing, or has a character that is not permitted.')
    return this.#text.slice(from, this.at)
  }

  #oneOf(names: readonly string[]): string {
    const name = names.find(name => this.#skip(name))
    if (name === undefined) throw new Misfit(`expected one of ${names.join(', ')}.`)
    return name
  }

  #space(): void {
    while (' \t\r\n'.includes(this.#text.charAt(this.at)) && this.at < this.#text.length) this.#step(1)
  }

  #expect(words: string): void {
    if (!this.#skip(words)) throw new Misfit(`"${words}" is missing.`)
  }

  #skip(words: string): boolean {
    if (!this.#comes(words)) return false
    this.#step(words.length)
    return true
  }

  #comes(words: string): boolean {
    this.steps++
    return this.#text.startsWith(words, this.at)
  }

  #step(by: number): void {
    this.steps += by
    this.at += by
  }
}

const embedOf = (references: Fields, selector: Fields[string]): TextEmbed => ({
  '@ag.references': references,
  ...(Object.keys(selector).length === 0 ? {} : { '@ag.selector': selector })
})

/** Letters, digits and `_ - . : /`. */
const isOfValue = (code: number): boolean =>
  (code >= 45 && code <= 58) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
