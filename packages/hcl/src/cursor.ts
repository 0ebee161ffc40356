import { HclError, type Position, shown } from './hcl-error.ts'
import { Scanner, type Token } from './scanner.ts'

/** The maximum nesting of blocks, brackets, strings, interpolations, conditionals and unary operators. */
const maxDepth = 64
/** The maximum number of tokens in a text. Line ends, quotes and the pieces of strings are tokens too. */
const maxTokens = 250_000

/**
 * The current token of the parser. Line ends are tokens in bodies and maps, but are skipped in parentheses, square
 * brackets and interpolations.
 */
export class Cursor {
  token: Token
  readonly #scanner: Scanner
  #areLinesRead = true
  #depth = 0
  #tokens = 1

  constructor(text: string) {
    this.#scanner = new Scanner(text)
    this.token = this.#scanner.next()
  }

  /**
   * Returns the current token and moves to the next one.
   * @throws HclError if the next token is invalid, or if the text has too many tokens
   */
  take(): Token {
    const taken = this.token
    do {
      this.token = this.#scanner.next()
      this.#tokens++
    } while (this.token.type === 'newline' && !this.#areLinesRead)
    if (this.#tokens > maxTokens)
      throw new HclError(
        this.token,
        `too many tokens: at most ${maxTokens} names, values and signs are permitted`
      )
    return taken
  }

  isEnd(): boolean {
    return this.token.type === 'end'
  }

  isSign(...signs: string[]): boolean {
    return this.token.type === 'sign' && signs.includes(this.token.text)
  }

  takeIf(sign: string): boolean {
    if (!this.isSign(sign)) return false
    this.take()
    return true
  }

  skipLines(): void {
    while (this.token.type === 'newline') this.take()
  }

  /**
   * Takes the current token, which opens a pair, then what `read` parses, then the closing token. `close` is the text
   * of a sign, or a token type. `lines` says whether line ends in between are tokens or are skipped.
   * @throws HclError if the closing token is missing, or the nesting is too deep
   */
  between<T>(lines: 'read' | 'skipped', close: string, read: (open: Token) => T): T {
    const before = this.#areLinesRead
    this.#areLinesRead = lines === 'read'
    const open = this.take()
    const result = this.nested(open, () => read(open))
    const isClosed = this.isSign(close) || this.token.type === close
    if (!isClosed)
      this.fail(
        `expected ${shown(close === '}$' ? '}' : close)} to close the ${shown(open.text)} at ${open.line}:${open.column}`
      )
    this.#areLinesRead = before
    this.take()
    return result
  }

  /**
   * Runs `read` one level deeper.
   * @throws HclError at `at` if the nesting is too deep
   */
  nested<T>(at: Position, read: () => T): T {
    if (this.#depth >= maxDepth)
      throw new HclError(at, `nested too deeply: at most ${maxDepth} levels are permitted`)
    this.#depth++
    const result = read()
    this.#depth--
    return result
  }

  /** Throws an error at the current token that says what was expected and what was found. */
  fail(expected: string): never {
    throw new HclError(this.token, `${expected}, found ${describe(this.token)}`)
  }
}

function describe({ type, text }: Token): string {
  if (type === 'end') return 'the end of the text'
  return type === 'newline' ? 'the end of the line' : shown(text)
}
