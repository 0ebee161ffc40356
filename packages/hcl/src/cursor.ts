import { HclError, type Position, shown } from './hcl-error.ts'
import { Scanner, type Token } from './scanner.ts'

/** How deep blocks, brackets, templates and conditions may stand in each other. */
const deepest = 64
/** The most tokens of a text: names, numbers, signs, pieces of strings, ends of lines. */
const mostTokens = 250_000

/** The token at hand, and whether the ends of lines count where it stands: between brackets they do not. */
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

  /** The token at hand, and on to the next. */
  take(): Token {
    const taken = this.token
    do {
      this.token = this.#scanner.next()
      this.#tokens++
    } while (this.token.type === 'newline' && !this.#areLinesRead)
    if (this.#tokens > mostTokens)
      throw new HclError(
        this.token,
        `too many tokens: at most ${mostTokens} names, values and signs are permitted`
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

  /** What stands between an opening sign (the token at hand) and its closing one (`close`, or a whole token's type). */
  between<T>(lines: 'read' | 'skipped', close: string, read: (open: Token) => T): T {
    const before = this.#areLinesRead
    this.#areLinesRead = lines === 'read'
    const open = this.take()
    const inside = this.nested(open, () => read(open))
    const isClosed = this.isSign(close) || this.token.type === close
    if (!isClosed)
      this.fail(
        `expected ${shown(close === '}$' ? '}' : close)} to close the ${shown(open.text)} at ${open.line}:${open.column}`
      )
    this.#areLinesRead = before
    this.take()
    return inside
  }

  nested<T>(at: Position, read: () => T): T {
    if (this.#depth >= deepest)
      throw new HclError(at, `nested too deeply: at most ${deepest} levels are permitted`)
    this.#depth++
    const inside = read()
    this.#depth--
    return inside
  }

  /** Says what was expected, and what stands there. */
  fail(expected: string): never {
    throw new HclError(this.token, `${expected}, found ${found(this.token)}`)
  }
}

function found({ type, text }: Token): string {
  if (type === 'end') return 'the end of the text'
  return type === 'newline' ? 'the end of the line' : shown(text)
}
