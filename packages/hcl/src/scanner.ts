import { HclError, type Position, shown } from './hcl-error.ts'
import { readEscape } from './read-escape.ts'
import { Reader } from './reader.ts'
import { strayCharacter } from './stray-character.ts'

/**
 * A token. A string or a heredoc consists of `quote` or `heredoc` (its opener), pieces of type `text`, and `close`.
 * `${` and `}$` enclose an interpolation. A `sign` is an operator or a delimiter.
 *
 * `text` is the source of the token. For a piece it is the text with its escapes resolved. In a heredoc, a piece is at
 * most one line with its line feed.
 */
export type Token = Position & {
  type: 'name' | 'number' | 'sign' | 'newline' | 'quote' | 'heredoc' | 'text' | 'close' | '${' | '}$' | 'end'
  text: string
}

/**
 * The scanner is in a string, in a heredoc, or in the code of an interpolation. `braces` is the number of open braces
 * in that code. At 0, the next closing brace ends the interpolation.
 */
type State =
  | { in: 'quote' }
  | { in: 'heredoc'; marker: string; isLineStart: boolean }
  | { in: 'code'; braces: number }
/** A state with the position of its opener, where an unclosed string or heredoc is reported. */
type Mode = Position & State

const blank = /[ \t]+/y
const comment = /(?:#|\/\/)[^\n]*/y
const name = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const sign = /\.\.\.|::|[=!<>]=|=>|&&|\|\||[{}[\]()=<>!+\-*/%?:,.]/y
const heredoc = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\n/uy
const quotedText = /[^"\\$%\n]+/y
const heredocText = /[^$%\n]+/y

/**
 * Splits a text into tokens on demand, so that parsing stops at the first error. It reads each character a limited
 * number of times, so the time is linear in the length of the text.
 */
export class Scanner {
  readonly #reader: Reader
  readonly #modes: Mode[] = []

  /** `text` must have no byte order mark, and only `\n` as line ends. */
  constructor(text: string) {
    this.#reader = new Reader(text)
  }

  /** Returns the next token. At the end of the text, it returns `end` each time. */
  next(): Token {
    const mode = this.#modes.at(-1)
    if (mode?.in === 'quote') return this.#quoted(mode)
    if (mode?.in === 'heredoc') return this.#heredoc(mode)
    return this.#code(mode)
  }

  #code(mode: (Mode & { in: 'code' }) | undefined): Token {
    this.#skipBlanks()
    const char = this.#reader.char()
    if (char === undefined) return this.#token('end', 0)
    if (char === '\n') return this.#token('newline', 1)
    if (char === '"') return this.#opened('quote', 1, { in: 'quote' })
    const opener = char === '<' ? this.#reader.match(heredoc) : undefined
    if (opener !== undefined) {
      const marker = opener.slice(opener[2] === '-' ? 3 : 2, -1)
      return this.#opened('heredoc', opener.length, { in: 'heredoc', marker, isLineStart: true })
    }
    if (char >= '0' && char <= '9') return this.#token('number', this.#reader.match(number)!.length)
    if (mode && char === '}' && mode.braces === 0) {
      this.#modes.pop()
      return this.#token('}$', 1)
    }
    const matched = this.#reader.match(sign)
    if (matched === undefined) return this.#name()
    if (mode && matched === '{') mode.braces++
    if (mode && matched === '}') mode.braces--
    return this.#token('sign', matched.length)
  }

  #name(): Token {
    const word = this.#reader.match(name)
    if (word !== undefined) return this.#token('name', word.length)
    const { text, at } = this.#reader
    throw new HclError(
      this.#reader.position(),
      strayCharacter(text, at),
      text[at] === '~' ? 'UNSUPPORTED' : 'INVALID'
    )
  }

  #skipBlanks(): void {
    for (;;) {
      const char = this.#reader.char()
      const pattern =
        char === ' ' || char === '\t' ? blank : char === '#' || char === '/' ? comment : undefined
      const skipped = pattern && this.#reader.match(pattern)
      if (skipped !== undefined) this.#reader.move(skipped.length)
      else if (this.#reader.ahead(2) === '/*') {
        const end = this.#reader.distanceTo('*/', 2)
        if (end === undefined)
          throw new HclError(this.#reader.position(), 'this comment is not closed: end it with "*/"')
        this.#reader.move(end + 2)
      } else return
    }
  }

  #quoted(mode: Mode): Token {
    const start = this.#reader.position()
    const pieces: string[] = []
    for (;;) {
      const char = this.#reader.char()
      if (char === undefined || char === '\n')
        throw new HclError(
          mode,
          'this string is not closed on its line: end it with ", or use \\n or a heredoc'
        )
      if (char === '"' || this.#isTemplate()) {
        if (pieces.length > 0) return { type: 'text', text: pieces.join(''), ...start }
        return char === '"' ? this.#closed(1) : this.#interpolation()
      }
      if (char === '\\') {
        const { length, means } = readEscape(this.#reader.text, this.#reader.at, this.#reader.position())
        pieces.push(means)
        this.#reader.move(length)
      } else pieces.push(this.#plain(quotedText))
    }
  }

  #heredoc(mode: Mode & { in: 'heredoc' }): Token {
    const start = this.#reader.position()
    if (mode.isLineStart) {
      const length = this.#reader.distanceTo('\n')
      if (length === undefined) throw unclosedHeredoc(mode)
      if (this.#reader.ahead(length).trim() === mode.marker) return this.#closed(length)
      mode.isLineStart = false
    }
    const pieces: string[] = []
    for (;;) {
      const char = this.#reader.char()
      if (char === '\n') {
        mode.isLineStart = true
        this.#reader.move(1)
        return { type: 'text', text: `${pieces.join('')}\n`, ...start }
      }
      if (char === undefined) throw unclosedHeredoc(mode)
      if (!this.#isTemplate()) pieces.push(this.#plain(heredocText))
      else
        return pieces.length > 0 ? { type: 'text', text: pieces.join(''), ...start } : this.#interpolation()
    }
  }

  /**
   * Takes text that matches `pattern`, or a single `$` or `%`, or a template escape. The escape `$${` means `${`, and
   * `%%{` means `%{`.
   */
  #plain(pattern: RegExp): string {
    const escaped = /[$%]/.test(this.#reader.char()!) && this.#reader.char() === this.#reader.char(1)
    const isEscape = escaped && this.#reader.char(2) === '{'
    const taken = isEscape ? this.#reader.ahead(3) : (this.#reader.match(pattern) ?? this.#reader.char()!)
    this.#reader.move(taken.length)
    return isEscape ? taken.slice(1) : taken
  }

  /** True at the start of an interpolation (`${`) or a template directive (`%{`). */
  #isTemplate(): boolean {
    const char = this.#reader.char()
    return (char === '$' || char === '%') && this.#reader.char(1) === '{'
  }

  #interpolation(): Token {
    if (this.#reader.char() === '%')
      throw new HclError(
        this.#reader.position(),
        'template directives (%{…}) are not supported: write "%%{" for a literal "%{"',
        'UNSUPPORTED'
      )
    if (this.#reader.char(2) === '~')
      throw new HclError(
        this.#reader.position(),
        `strip markers (\${~ and ~}) are not supported: remove the "~"`,
        'UNSUPPORTED'
      )
    return this.#opened('${', 2, { in: 'code', braces: 0 })
  }

  #opened(type: 'quote' | 'heredoc' | '${', length: number, state: State): Token {
    const token = this.#token(type, length)
    this.#modes.push({ ...state, line: token.line, column: token.column })
    return token
  }

  #closed(length: number): Token {
    this.#modes.pop()
    return this.#token('close', length)
  }

  #token(type: Token['type'], length: number): Token {
    const token = { type, text: this.#reader.ahead(length), ...this.#reader.position() }
    this.#reader.move(length)
    return token
  }
}

function unclosedHeredoc(mode: Mode & { in: 'heredoc' }): HclError {
  return new HclError(
    mode,
    `this heredoc is not closed: end it with a line that has only ${shown(mode.marker)}`
  )
}
