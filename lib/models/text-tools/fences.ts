/** Marks of code in a row: backticks, or tildes. */
type Marks = { mark: string; length: number }

/**
 * Whether a place in a text is code, told one character at a time. A fence (CommonMark 4.5) is three or more backticks or
 * tildes on a line of their own, indented and quoted ones too, up to one like it or the end of the text; code in a line is
 * what stands between as many backticks, or behind them, as long as the line is not over.
 */
export class Fences {
  #open: Marks | undefined
  /** The marks that the line begins with, while it may still be a fence. */
  #line: (Marks & { isWhole: boolean }) | undefined
  #isLineBegun = false
  /** Backticks that were just passed, and those that code in this line began with. */
  #ticks = 0
  #span = 0

  get isCode(): boolean {
    return this.#open !== undefined || this.#isFence || this.#spanNow() > 0
  }

  get #isFence(): boolean {
    return this.#line !== undefined && this.#line.length >= 3
  }

  pass(char: string): void {
    if (char === '\n') this.#endLine()
    else {
      this.#passCode(char)
      this.#passFence(char)
    }
  }

  #passFence(char: string): void {
    const line = this.#line
    if (line === undefined) {
      if (this.#isLineBegun || char === ' ' || char === '\t' || char === '>') return
      this.#isLineBegun = true
      if (char === '`' || char === '~') this.#line = { mark: char, length: 1, isWhole: false }
    } else if (char === line.mark && !line.isWhole) line.length += 1
    else if (line.length < 3 || char === '`') this.#line = undefined
    // Behind the marks that end a block stands nothing.
    else if (this.#open !== undefined && char !== ' ' && char !== '\t' && char !== '\r')
      this.#line = undefined
    else line.isWhole = true
  }

  #passCode(char: string): void {
    if (char === '`') this.#ticks += 1
    else {
      this.#span = this.#spanNow()
      this.#ticks = 0
    }
  }

  #spanNow(): number {
    if (this.#ticks === 0) return this.#span
    if (this.#span === 0) return this.#ticks
    return this.#span === this.#ticks ? 0 : this.#span
  }

  #endLine(): void {
    const line = this.#line
    if (line !== undefined && this.#isFence) {
      if (this.#open === undefined) this.#open = line
      else if (line.mark === this.#open.mark && line.length >= this.#open.length) this.#open = undefined
    }
    this.#line = undefined
    this.#isLineBegun = false
    this.#ticks = 0
    this.#span = 0
  }
}
