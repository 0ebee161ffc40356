/** An embed in a text, parsed but not validated. It has the shape of the value of `@ag.embed` in an object. */
export type TextEmbed = { '@ag.references': Fields; '@ag.selector'?: Record<string, string> }
type Fields = Record<string, Record<string, string>>

/** A part of a text. All parts in order are the whole text. `embed` is null for a malformed embed. */
export type Piece = { text: string } | { raw: string; embed: TextEmbed | null; error?: string }

/**
 * Finds the embeds in a text, in linear time. The grammar:
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
 * `@{{` starts an embed only before `workflow.` or `agent.`, because other templates use it too. `@ag.embed[` always
 * starts one. Inside an embed, "@" appears only in the keywords above. After a failed attempt, reading therefore
 * continues where it stopped, and no character is read twice. `steps` measures the work: comparisons and characters read.
 */
export function readText(text: string): { pieces: Piece[]; steps: number } {
  const reader = new Reader(text)
  const pieces: Piece[] = []
  let from = 0
  let start = text.indexOf('@')
  while (start !== -1) {
    reader.at = start
    const read = reader.embed()
    if (read !== undefined) {
      if (start > from) pieces.push({ text: text.slice(from, start) })
      pieces.push({ raw: text.slice(start, reader.at), ...read })
      from = reader.at
    }
    start = text.indexOf('@', Math.max(reader.at, start + 1))
  }
  if (from < text.length || pieces.length === 0) pieces.push({ text: text.slice(from) })
  return { pieces, steps: reader.steps }
}

/**
 * Returns whether a text can contain embeds. It is fast, can be wrong about texts without embeds, and never misses one.
 */
export const mightContainEmbed = (text: string): boolean =>
  text.includes('@ag.embed[') || text.includes('@{{')

/**
 * Ends a parse attempt. It is not an `Error`, because a hostile text causes a hundred thousand of them, and stacks are
 * expensive.
 */
class ParseError {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

const families = ['workflow', 'agent']
const fields = ['id', 'slug', 'version', 'revision']
/** `key` is parsed only so that its error can give advice (`EmbedSelector`). */
const choices = ['path', 'key']

class Reader {
  at = 0
  steps = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Parses the embed at `at`. Returns undefined if there is none, and then `at` is after its first character. */
  embed(): { embed: TextEmbed | null; error?: string } | undefined {
    const isToken = this.#skip('@ag.embed[')
    if (!isToken && !(this.#skip('@{{') && this.#beginsReference())) return undefined
    try {
      return { embed: isToken ? this.#token() : this.#snippet() }
    } catch (error) {
      if (error instanceof ParseError) return { embed: null, error: error.message }
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

  #set(target: Fields[string], name: string): void {
    this.#space()
    if (name in target) throw new ParseError(`"${name}" is set twice.`)
    target[name] = this.#value()
  }

  #value(): string {
    const from = this.at
    while (this.at < this.#text.length && isValueChar(this.#text.charCodeAt(this.at))) this.#step(1)
    if (this.at === from)
      throw new ParseError('a value is missing, or has a character that is not permitted.')
    return this.#text.slice(from, this.at)
  }

  #oneOf(names: readonly string[]): string {
    const name = names.find(name => this.#skip(name))
    if (name === undefined) throw new ParseError(`expected one of ${names.join(', ')}.`)
    return name
  }

  #space(): void {
    while (' \t\r\n'.includes(this.#text.charAt(this.at)) && this.at < this.#text.length) this.#step(1)
  }

  #expect(words: string): void {
    if (!this.#skip(words)) throw new ParseError(`"${words}" is missing.`)
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

/** Matches letters, digits and `_ - . : /`. */
const isValueChar = (code: number): boolean =>
  (code >= 45 && code <= 58) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
